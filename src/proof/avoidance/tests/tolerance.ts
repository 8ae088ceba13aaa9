/** The smallest difference that a language has a name for. */
const EPSILON =
  /\b(?:(?:std :: )?f(?:32|64) :: |Number \. |Double \. |Float \. |math \. |sys \. float_info \. )?(?:(?:DBL_|FLT_)?EPSILON|Epsilon|ulpOfOne|float_info \. epsilon)\b(?! [=:(])/g;

/** `abs=1`, `places=0`, `toBeCloseTo(x, 0)`, `EXPECT_NEAR(a, b, 1.0)`, `delta`: as a number that grows with the slack. */
export function toleranceIn(written: string): number {
  const text = written.replace(EPSILON, '1e-16');
  const named =
    /\b(?:abs|rel|delta|atol|rtol|abs_tol|rel_tol|within|epsilon|accuracy|tolerance)\b\s*(?:=|:|\()?\s*(?:[A-Za-z][\w.]* \( )?"?([\d.]+(?:e-?\d+)?)/i.exec(
      text,
    );
  if (named?.[1] !== undefined) return Number(named[1]);
  const places = /\b(?:places|decimal|precision)\b\s*[=:]\s*(\d+)/.exec(text);
  if (places?.[1] !== undefined) return 10 ** -Number(places[1]);
  const digits = /\b(?:toBeCloseTo|almost_equal|assertAlmostEqual|closeTo) \(.*, (\d+) \)$/.exec(text);
  if (digits?.[1] !== undefined) return 10 ** -Number(digits[1]);
  if (/\btoBeCloseTo\b|assertAlmostEqual|approx/.test(text)) return 1e-6;
  // Scala: `105 +- 50`.
  const around = /\+ - ([\d.]+)/.exec(text);
  if (around?.[1] !== undefined) return Number(around[1]);
  const apart = /\b(?:f?abs|Abs)\b.* [<>]=? (\d*\.?\d+(?:e-?\d+)?)/.exec(text);
  if (apart?.[1] !== undefined) return Number(apart[1]);
  const last =
    /\b(?:\w*NEAR|InDelta|InEpsilon|be_within|assert_in_delta|assert_in_epsilon|assertEquals|assertEqualsWithDelta|assertInEpsilon|closeTo|XCTAssertEqual)\b.*, (\d*\.?\d+(?:e-?\d+)?)[fdFD]?(?: \)|$)/.exec(
      text,
    );
  const count = text.split(' , ').length;
  return last?.[1] !== undefined && count >= 3 ? Number(last[1]) : 0;
}
