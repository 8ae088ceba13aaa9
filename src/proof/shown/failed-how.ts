/** How a suite says that it couldn't be loaded or built. */
const LOAD =
  /Cannot find module|MODULE_NOT_FOUND|ERR_MODULE|SyntaxError|does not provide an export|ImportError|ModuleNotFoundError|Failed to (?:resolve|load)|Transform failed|could not compile|build failed|COMPILATION ERROR|Compilation failed|error TS\d+/;
/** How tests say that they failed. */
const FAILED = /Assert|expect\(|assert|panicked|--- FAIL/;

/** Whether a suite says that it couldn't be loaded or built, by what it printed last. */
export function saysNotLoaded(output: string): boolean {
  return LOAD.test(output);
}

/** Whether that is why it failed. */
export function failsToLoad(output: string): boolean {
  return saysNotLoaded(output) && !FAILED.test(output);
}
