/**
 * Strength of matchers, by their lower-case name without separators: 4 exact, 3 structural, 2 property, 1 existence, 0
 * none. The first match counts.
 */
export const MATCHERS: readonly (readonly [RegExp, number])[] = [
  [/nothrow|notthrow|noerror|noexception|nothingraised|notpanics|returnsnormally/, 1.2],
  [/snapshot|approval|verifyjson/, 2],
  // `expect { … }.to change { … }` is weak unless `by` or `from` follows.
  [/^change$/, 1.5],
  [/^(?:by|from)$/, 4],
  [
    /haslength|havelength|havesize|hassize|havecount|hascount|lengthof|iswithlength|assertcount$|tohavelength|havebeencalled$|beencalled$|called$|assertcalled$|verifynever/,
    2.2,
  ],
  [
    /instanceof|isinstance|bekindof|bea$|bean$|beanything|isa$|isoftype|istype|typeof|hastype|beoftype|assertis(?:string|array|int|bool|float|object|numeric|iterable|callable)|implements|iskindof|kindof|isassignable|respondto|beint$|befloat$|bestring$|bebool$|bearray$|benumeric$|beobject$|becallable$|beiterable$/,
    1.6,
  ],
  [
    /greater|less|atleast|atmost|above|below|between|range|positive|negative|beginning$|ispositive|within$|operator$|^(?:expect|assert|require|check)(?:gt|ge|lt|le)$/,
    2,
  ],
  [
    /notnull|notnil|notnone|notempty|isnotnull|notbenull|notbeempty|betruthy|befalsy|bedefined|bepresent|bevisible$|beok|exist|^ok$|isok$|iserr$|issome|isnotempty|refutenil|refuteempty|anything|isdefined|isnotblank|beattached|anyvalue|nonnull|wontbenil|mustbetruthy/,
    1,
  ],
  [
    /containsexactly|containexactly|matcharray|equivalent|sameelements|sameitems|countequal|itemsequal|containonly/,
    4,
  ],
  [
    /contain|include|member|objectcontaining|matchobject|hassubset|haveproperty|hasproperty|haskey|havekey|hasattr|haveattribute|startwith|startswith|endwith|endswith|subset|assertin$|notin$|stringcontaining|arraycontaining|hasitem|oneof|subsetof|substring/,
    3,
  ],
  [/matchesregex|match(?:es)?$|regex|assertmatches|matchespattern|tomatch|assertmatch/, 2.8],
  [/errorcontains|errormatches|equalerror|errorequals|errorassubject|erroris$|erroras$|panicswith/, 3.5],
];

export const THROWS =
  /(?:throw|raise|assertfailure|assertfails|rejects?$|rejected|panics|expecterror|asserterror|^error$|failswith|intercept|tothrow|expectexception|throwserror)/;
/** Error types that any error matches. */
export const ANY_ERROR =
  /^(?:Exception|BaseException|Throwable|Error|StandardError|RuntimeException|RuntimeError|java \. lang \. (?:Exception|Throwable)|std :: exception|Object|object)(?: \. class| :: class| \. self)?$/;
/** Patterns and texts that match anything. */
export const ANY_TEXT =
  /^(?:match = |matching )?(?:\/(?:\^?\.[*+]?\$?|\(\?:\)|\^|\$)\/[a-z]*|"(?:\^?\.[*+]\$?)?"|r"\.[*+]")$/;
export const EXACT =
  /equal|^eq$|eq$|^be$|tobe$|tobecloseto|closeto|almost|approx|near$|identical|same|^is$|deepis|shouldbe$|^be\b|returns|calledwith|calledonce|callcount|calledtimes|status|output|equivalence|nan|undefined|benull$|isnull$|isnil$|benil$|isnone$|tobenull|assertnull|assertnil|isfalse$|^false$|isempty$|beempty$|istrue$|mustequal|havetext|havevalue|haveurl|havetitle|body$|^json|almostequal|inlinesnapshot|issuccess|nothrow|^nil$|zero$|noerror|inverse|indelta$|inepsilon$|allclose$/;
export const BOOLEAN =
  /^(?:assert|asserttrue|true|istrue|xctassert|xctasserttrue|expecttrue|check|require|that|debugassert|propassert|expect|refute|assertfalse|false|xctassertfalse|expectfalse|refutable|checktrue|requiretrue|boostcheck|boostrequire|boosttest|ok|assertok|isfalse|assertthat|bool)$/;
/** Values that make an exact matcher accept almost anything. */
export const LOOSE_VALUES: readonly (readonly [RegExp, number])[] = [
  [/^(?:has_?[sS]ize|has_?[lL]ength|Has \. (?:Length|Count)|iterableWithSize|arrayWithSize)/, 2.2],
  [
    /^(?:expect|jasmine|sinon \. match) \. any(?:thing)? (?:\( \)|$)|^expect \. anything|^(?:mock \. )?ANY$|^anything$|^isNotNull$|^isNotEmpty$|^any\w*\( \)$|^Is \. Not \. (?:Null|Empty)|^notNullValue|^is_not_none|^isA\b|^returnsNormally|^mock \. Anything$|^gomock \. Any|^anyNamed|^isNonZero$|^isNot\b|^not null$|^be null$|^\*$|^:: testing :: _$|^_$|^Is \. Not \. (?:Zero|EqualTo)|^throwsA \( anything|^throws$/,
    1,
  ],
  [
    /^(?:expect|jasmine) \. any \(|^Matchers? \. any|^isA <|^instanceOf|^Is \. (?:InstanceOf|TypeOf)|^(?:be )?an? \[/,
    1.6,
  ],
  [/^throws(?:Exception|Error|A \( isA < (?:Exception|Error|Object) >)/, 2],
  [
    /^Is \. (?:Greater|Less|AtLeast|AtMost|InRange|Positive)|^(?:greaterThan|lessThan|greater_than|isPositive)/,
    2,
  ],
  [
    /^(?:expect|jasmine) \. (?:objectContaining|arrayContaining|stringContaining|stringMatching)|^(?:contains|Does \. Contain|Is \. AnyOf|\( be .* or be |hasItem|containsString|startsWith)/,
    2.9,
  ],
];
/** Words of an assertion chain that check nothing. */
export const NOISE =
  /^(?:expect|should|to|resolves|rejects|assert|assertions|assertthat|that|self|this|await|soft|poll|deep|strict|have|been|with|and|chai|testing|np|xct|its|not|notto|tonot|is|require|include\?)$/;
