/** Runs one command in the sandbox to its end, within all of its bounds, and says why it ended. */
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import type { Limits } from './allow-file.ts';
import { type CollectedOutput, collectOutput } from './collect-output.ts';
import type { Contained, Sandbox, SandboxCommand } from './sandbox.ts';
import { watchTree } from './watch-tree.ts';

export interface Ran extends CollectedOutput {
  readonly exitCode?: number;
  /** Why it was ended, or could not start; undefined if it ran to its end. */
  readonly problem?: string;
}

/** Ends a running command. @param why a sentence */
export type Stop = (why: string) => void;

export interface Running {
  readonly stop: Stop;
  readonly ran: Promise<Ran>;
}

/** Ends the command at its first bound. @returns a stop, the reason, and an end of watching */
export const guard = (contained: Contained, limits: Limits) => {
  let why: string | undefined;
  const stop: Stop = (reason) => {
    why ??= reason;
    contained.kill();
  };
  const seconds = Math.round(limits.timeMs / SECOND_MS);
  const timer = setTimeout(() => stop(`it took longer than ${seconds} s`), limits.timeMs);
  let unwatch = (): void => {};
  let isOver = false;
  void contained.insidePid.then((pid) => {
    if (pid !== undefined && !isOver) unwatch = watchTree(pid, limits, stop);
  });
  const release = (): void => {
    isOver = true;
    clearTimeout(timer);
    unwatch();
  };
  return { stop, why: () => why, release };
};

/** Signals that the kernel ends a process with when it passes a bound, as a shell reports them. */
const BOUND_EXITS: ReadonlyMap<number, string> = new Map([
  [152, 'it used more processor time than it may'],
  [153, 'it wrote a larger file than it may'],
]);

/** @param outputFile a new file for the whole output */
export const runContained = (sandbox: Sandbox, command: SandboxCommand, outputFile: string): Running => {
  const contained = sandbox.start(command);
  contained.stdin.end();
  const { stop, why, release } = guard(contained, command.limits);
  const megabytes = Math.round(command.limits.outputBytes / 2 ** 20);
  const run = async (): Promise<Ran> => {
    try {
      const collected = await collectOutput(contained.output, outputFile, command.limits.outputBytes, () =>
        stop(`it wrote more than ${megabytes} MB of output`),
      );
      const end = await contained.ended;
      if (end.kind === 'unstarted') return { ...collected, problem: `the sandbox did not start it: ${end.problem}` };
      if (end.kind === 'killed') return { ...collected, problem: why() ?? 'it was ended' };
      const problem = BOUND_EXITS.get(end.code);
      return { ...collected, exitCode: end.code, ...(problem !== undefined && { problem }) };
    } finally {
      // Without this, a disk that fails would leave the command alone.
      contained.kill();
      release();
    }
  };
  return { stop, ran: run() };
};
