/**
 * The thread that runs untrusted code, in QuickJS in WebAssembly. It finds the language only, and a
 * runtime for each run. The number of jumps and calls ends a run, the same on every machine.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { CallJob, Job, ProgramJob, ThreadOutcome, ThreadProblem } from './thread.ts';

// Code knows no zone. A thread has that of its process: the engine asks for this offset.
Date.prototype.getTimezoneOffset = () => 0;

/** Name of the code in its own error messages. */
const FILE = { call: 'code', program: 'script' } as const;
/** Some thousand calls deep; WebAssembly itself bears far more. */
const STACK_BYTES_MAX = 256 * 1024;
/** Each job of a promise is too short for the count of steps. */
const JOBS_MAX = 100_000;

/** A called function has no clock: without `Date`. */
const CALL_INTRINSICS = {
  BaseObjects: true,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  JSON: true,
  Proxy: true,
  MapSet: true,
  TypedArrays: true,
  Promise: true,
} as const;

/** Removes what differs between machines or moments. Arguments and result are JSON text. */
const CALL_PRELUDE = `(function () {
  'use strict';
  const { apply } = Reflect;
  const { parse, stringify } = JSON;
  delete Math.random;
  delete globalThis.performance;
  return (called, input) => stringify(apply(called, undefined, parse(input)));
})()`;

/** Runs before a program, which therefore cannot change what it uses. */
const PROGRAM_PRELUDE = `(function (now, charsMax, state, stateCharsMax) {
  'use strict';
  const { apply, construct } = Reflect;
  const { stringify, parse } = JSON;
  const { isArray } = Array;
  const { slice } = String.prototype;
  const text = String;
  const Fault = Error;
  const RealDate = Date;
  function FixedDate(...args) {
    const real = construct(RealDate, args.length === 0 ? [now] : args, new.target ?? RealDate);
    return new.target === undefined ? text(new RealDate(now)) : real;
  }
  FixedDate.prototype = RealDate.prototype;
  FixedDate.now = () => now;
  FixedDate.parse = RealDate.parse;
  FixedDate.UTC = RealDate.UTC;
  RealDate.prototype.constructor = FixedDate;
  globalThis.Date = FixedDate;
  let seed = 1;
  Math.random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const plain = (_, value) => (typeof value === 'bigint' ? text(value) : value);
  const show = (value) => {
    switch (typeof value) {
      case 'object':
        if (value instanceof Fault) return value.name + ': ' + value.message;
        try { return stringify(value, plain, 1); } catch { return 'an object that JSON cannot say'; }
      case 'function':
        return 'a function';
      case 'symbol':
        return 'a symbol';
      case 'number':
        return value === 0 && 1 / value < 0 ? '-0' : text(value);
      default:
        return text(value);
    }
  };
  const cut = (value) => {
    const shown = show(value);
    return typeof shown === 'string' ? apply(slice, shown, [0, charsMax + 1]) : '';
  };
  let printed = '';
  const print = (...values) => {
    for (let index = 0; index < values.length; index += 1)
      if (printed.length <= charsMax) printed += (index === 0 ? '' : ' ') + cut(values[index]);
    if (printed.length <= charsMax) printed += '\\n';
  };
  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };
  if (state !== undefined) globalThis.state = parse(state);
  return {
    state: () => {
      const left = globalThis.state;
      if (typeof left !== 'object' || left === null || isArray(left)) return undefined;
      const shown = stringify(left);
      return typeof shown === 'string' && shown.length <= stateCharsMax ? shown : undefined;
    },
    value: (value) => apply(slice, value === undefined && printed !== '' ? printed : printed + cut(value), [0, charsMax + 1]),
    fault: (value) => apply(slice, printed + cut(value), [0, charsMax + 1]),
  };
})`;

/** Beside the bundle (`infra/bundling.ts`), or in its package. */
const wasmPath = (): string =>
  import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
    : fileURLToPath(new URL('./emscripten-module.wasm', import.meta.url));

const WASM = new WebAssembly.Module(readFileSync(wasmPath()));
/** 16 MB at the start, as the engine asks; at most 48 MB: the largest heap of a run, and room. */
const MEMORY_PAGES = { initial: 256, maximum: 768 };

const startEngine = async (): Promise<QuickJSWASMModule> =>
  newQuickJSWASMModuleFromVariant(
    // Its types describe the CommonJS form, which has one `default` more.
    newVariant('default' in release ? release.default : release, {
      wasmModule: WASM,
      wasmMemory: new WebAssembly.Memory(MEMORY_PAGES),
    }),
  );

interface WorkerRun {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly memoryBytesMax: number;
  readonly hasRunOut: () => boolean;
  /** Remembers a value of the engine, which is freed after the run. */
  readonly keep: <T extends Disposable>(value: T) => T;
  /** Frees the run's memory. The engine aborts if a value is not freed. */
  readonly end: () => void;
}

const startRun = (engine: QuickJSWASMModule, { kind, stepsMax, memoryBytesMax }: Job): WorkerRun => {
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(memoryBytesMax);
  runtime.setMaxStackSize(STACK_BYTES_MAX);
  let steps = 0;
  runtime.setInterruptHandler(() => {
    steps += 1;
    return steps > stepsMax;
  });
  const context = runtime.newContext(kind === 'call' ? { intrinsics: CALL_INTRINSICS } : {});
  const kept: Disposable[] = [runtime, context];
  const keep = <T extends Disposable>(value: T): T => {
    kept.push(value);
    return value;
  };
  const end = (): void => {
    for (const value of kept.toReversed()) value[Symbol.dispose]();
  };
  return { runtime, context, memoryBytesMax, hasRunOut: () => steps > stepsMax, keep, end };
};

const problem = (why: ThreadProblem['why']): ThreadProblem => ({ kind: 'problem', why });

/** A member of what was thrown. It may be code again, which is counted too. */
const fieldOf = ({ context, keep }: WorkerRun, error: QuickJSHandle, name: string): unknown =>
  context.typeof(error) === 'object' ? context.dump(keep(context.getProp(error, name))) : undefined;

/** The bound that ended the code; undefined for an error that it threw. */
const boundOf = (run: WorkerRun, error: QuickJSHandle): ThreadProblem | undefined => {
  if (run.hasRunOut()) return problem('steps');
  // At the limit no memory is left to read the message.
  run.runtime.setMemoryLimit(2 * run.memoryBytesMax);
  const message = fieldOf(run, error, 'message');
  if (message === 'out of memory' || run.context.typeof(error) === 'null') return problem('memory');
  return message === 'stack overflow' ? problem('stack') : undefined;
};

const notParsed = (run: WorkerRun, error: QuickJSHandle): ThreadProblem => {
  const bound = boundOf(run, error);
  if (bound !== undefined) return bound;
  const line = fieldOf(run, error, 'lineNumber');
  return { ...problem('syntax'), ...(typeof line === 'number' ? { line } : {}) };
};

const thrown = (run: WorkerRun, error: QuickJSHandle): ThreadOutcome => {
  const isText = run.context.typeof(error) === 'string';
  const words = isText ? run.context.getString(error) : fieldOf(run, error, 'message');
  return boundOf(run, error) ?? { kind: 'fault', text: typeof words === 'string' ? words : '' };
};

const runCall = (run: WorkerRun, { code, call, input, charsMax }: CallJob): ThreadOutcome => {
  const { context, keep } = run;
  const caller = context.unwrapResult(keep(context.evalCode(CALL_PRELUDE, 'prelude')));
  const done = keep(context.evalCode(code, FILE.call, { type: 'global' }));
  if (done.error !== undefined) return thrown(run, done.error);
  // A constant of the code is no member of the global object.
  const called = keep(context.evalCode(`typeof ${call} === 'function' ? ${call} : undefined`, 'call'));
  if (called.error !== undefined || context.typeof(called.value) !== 'function') return problem('missing');
  const given = keep(context.newString(input));
  const result = keep(context.callFunction(caller, context.undefined, called.value, given));
  if (result.error !== undefined) return thrown(run, result.error);
  if (context.typeof(result.value) !== 'string') return problem('nonsense');
  const length: unknown = context.dump(keep(context.getProp(result.value, 'length')));
  if (typeof length !== 'number' || length > charsMax) return problem('output');
  return { kind: 'value', text: context.getString(result.value) };
};

const describeValue = (
  run: WorkerRun,
  describer: QuickJSHandle,
  kind: 'value' | 'fault',
  value: QuickJSHandle,
): ThreadOutcome => {
  const { context, keep } = run;
  const describe = keep(context.getProp(describer, kind));
  const described = keep(context.callFunction(describe, context.undefined, value));
  if (described.error !== undefined) return boundOf(run, described.error) ?? { kind: 'fault', text: '' };
  return { kind, text: context.getString(described.value) };
};

/** The object `state` as the program left it. Its members may be code, which is counted too. */
const withState = (run: WorkerRun, describer: QuickJSHandle, outcome: ThreadOutcome): ThreadOutcome => {
  if (outcome.kind !== 'value') return outcome;
  const { context, keep } = run;
  const left = keep(context.callFunction(keep(context.getProp(describer, 'state')), context.undefined));
  if (left.error !== undefined) return boundOf(run, left.error) ?? outcome;
  return context.typeof(left.value) === 'string' ? { ...outcome, state: context.getString(left.value) } : outcome;
};

interface Settled {
  readonly kind: 'value' | 'fault';
  readonly value: QuickJSHandle;
}

/** A promise's outcome once all jobs have run, or the value itself. Undefined for endless jobs. */
const settledOf = ({ context, runtime, keep }: WorkerRun, value: QuickJSHandle): Settled | undefined => {
  const jobs = keep(runtime.executePendingJobs(JOBS_MAX));
  if (jobs.error !== undefined) return { kind: 'fault', value: jobs.error };
  if (jobs.value >= JOBS_MAX) return undefined;
  if (context.typeof(value) !== 'object') return { kind: 'value', value };
  const state = context.getPromiseState(value);
  if (state.type === 'fulfilled')
    return { kind: 'value', value: state.notAPromise === true ? value : keep(state.value) };
  if (state.type === 'rejected') return { kind: 'fault', value: keep(state.error) };
  return { kind: 'value', value: keep(context.newString('a promise that nothing settles')) };
};

const runProgram = (run: WorkerRun, job: ProgramJob): ThreadOutcome => {
  const { context, keep } = run;
  const prelude = context.unwrapResult(keep(context.evalCode(PROGRAM_PRELUDE, 'prelude')));
  const state = job.state === undefined ? context.undefined : keep(context.newString(job.state));
  const [now, charsMax] = [context.newNumber(job.now), context.newNumber(job.charsMax)];
  const given = [now, charsMax, state, context.newNumber(job.stateCharsMax)];
  const describer = context.unwrapResult(keep(context.callFunction(prelude, context.undefined, ...given)));
  const done = keep(context.evalCode(job.code, FILE.program, { type: 'global' }));
  const settled: Settled | undefined =
    done.error === undefined ? settledOf(run, done.value) : { kind: 'fault', value: done.error };
  if (settled === undefined) return problem('steps');
  const bound = settled.kind === 'fault' ? boundOf(run, settled.value) : undefined;
  if (bound !== undefined) return bound;
  const outcome = describeValue(run, describer, settled.kind, settled.value);
  return job.state === undefined ? outcome : withState(run, describer, outcome);
};

const runJob = (run: WorkerRun, job: Job): ThreadOutcome => {
  const parsed = run.keep(run.context.evalCode(job.code, FILE[job.kind], { type: 'global', compileOnly: true }));
  if (parsed.error !== undefined) return notParsed(run, parsed.error);
  return job.kind === 'call' ? runCall(run, job) : runProgram(run, job);
};

let engine: QuickJSWASMModule | undefined;

const answer = async (job: Job): Promise<ThreadOutcome> => {
  engine ??= await startEngine();
  const run = startRun(engine, job);
  try {
    const outcome = runJob(run, job);
    run.end();
    return run.hasRunOut() ? problem('steps') : outcome;
  } catch (error) {
    // No code can catch this: the thread's own stack or memory is at its end.
    engine = undefined;
    return problem(run.hasRunOut() ? 'steps' : error instanceof RangeError ? 'stack' : 'memory');
  }
};

const { port, answered }: { readonly port: MessagePort; readonly answered: Int32Array } = workerData;

parentPort?.on('message', async (job: Job) => {
  port.postMessage(await answer(job));
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
});
