/**
 * One result for everybody who asks while it is being made, or soon after. A failure is told to
 * those who waited for it, and the next one tries again. @param ms how long a result is given out,
 * from when it was asked for
 */
export const shareFor = <T>(ms: number, now: () => number, work: () => Promise<T>): (() => Promise<T>) => {
  let shared: { readonly at: number; readonly result: Promise<T> } | undefined;
  let isRunning = false;
  return () => {
    if (shared !== undefined && (isRunning || now() - shared.at < ms)) return shared.result;
    isRunning = true;
    const result = work().finally(() => {
      isRunning = false;
    });
    shared = { at: now(), result };
    result.catch(() => {
      shared = undefined;
    });
    return result;
  };
};
