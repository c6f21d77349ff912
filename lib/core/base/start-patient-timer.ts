/**
 * A timer for the time that others take. On a busy machine this process may stand still for
 * seconds, and finds an expired timer before an answer that came long ago. So the time counts in
 * parts, each once however late it comes, and what has come is read before the time is up.
 */

/** So many times at least the process looks for what has come. */
const PARTS = 10;

/**
 * @param latestMs when it ends however busy this process is
 * @returns stops it; stopping it twice does nothing
 */
export const startPatientTimer = (ms: number, onEnd: () => void, latestMs = 2 * ms): (() => void) => {
  const latest = performance.now() + latestMs;
  let left = PARTS;
  let timer: NodeJS.Timeout | undefined;
  let last: NodeJS.Immediate | undefined;
  const count = (): void => {
    left -= 1;
    if (left > 0 && performance.now() < latest) timer = setTimeout(count, ms / PARTS);
    else last = setImmediate(onEnd);
  };
  timer = setTimeout(count, ms / PARTS);
  return () => {
    clearTimeout(timer);
    clearImmediate(last);
  };
};
