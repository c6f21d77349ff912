/**
 * Fires a schedule of the template: at once, then at every multiple of the interval, with the scheduled time in the event as
 * EventBridge writes it. A tick that comes while the last one still runs is left out; the next one sweeps for both.
 */
export interface ScheduleOptions {
  readonly intervalMs: number;
  /** Takes the scheduled time, epoch milliseconds. */
  readonly fire: (scheduledAtMs: number) => Promise<unknown>;
  readonly log: (line: string) => void;
}

/** The event of one tick, from the template's input. Pure. */
export const buildScheduleEvent = (input: string, scheduledAtMs: number): object => {
  const scheduledAt = new Date(scheduledAtMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const event: unknown = JSON.parse(input.replaceAll('<aws.scheduler.scheduled-time>', scheduledAt));
  if (typeof event !== 'object' || event === null) throw new Error('the input of a schedule must be a JSON object');
  return event;
};

/** The latest tick that is due at `nowMs`. Pure. */
export const alignTick = (nowMs: number, intervalMs: number): number => Math.floor(nowMs / intervalMs) * intervalMs;

/** Gives the function that stops it. */
export const startSchedule = (options: ScheduleOptions): (() => void) => {
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    const nowMs = Date.now();
    timer = setTimeout(tick, alignTick(nowMs, options.intervalMs) + options.intervalMs - nowMs);
    if (isRunning) return;
    isRunning = true;
    options
      .fire(alignTick(nowMs, options.intervalMs))
      .catch((error: unknown) => options.log(`heartbeat: ${String(error).slice(0, 500)}`))
      .finally(() => {
        isRunning = false;
      });
  };
  const nowMs = Date.now();
  timer = setTimeout(tick, alignTick(nowMs, options.intervalMs) + options.intervalMs - nowMs);
  return () => clearTimeout(timer);
};
