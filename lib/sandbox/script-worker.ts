/**
 * Runs one script in QuickJS, in WebAssembly, in this thread. The script finds the language only:
 * no network, files, timers, modules or objects of the host. Its clock stands still and its random
 * numbers are fixed, so the same script gives the same result. Steps, memory, stack and output are
 * bounded here. Built as a file of its own, read only when used.
 */

import { parentPort, workerData } from 'node:worker_threads';
import * as variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core';
import type { ScriptInput, ScriptOutcome } from './run-script.ts';

// A script knows no zone. A thread has that of its process: the engine asks for this offset.
Date.prototype.getTimezoneOffset = () => 0;

const FILE = 'script';
/** Some thousand calls deep; WebAssembly itself bears far more. */
const STACK_BYTES_MAX = 256 * 1024;
/** Each job of a promise is too short for the count of steps. */
const JOBS_MAX = 100_000;

/** Runs before the script, which therefore cannot change what it uses. */
const PRELUDE = `(function (now, charsMax, state, stateCharsMax) {
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

interface Engine {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly memoryBytesMax: number;
  readonly hasRunOut: () => boolean;
}

const problem = (why: 'steps' | 'memory' | 'stack'): ScriptOutcome => ({ kind: 'problem', why });

/** The reason the engine gave up; undefined for an error that the script threw. */
const exhaustionOf = (
  { context, runtime, memoryBytesMax, hasRunOut }: Engine,
  error: QuickJSHandle,
): ScriptOutcome | undefined => {
  if (hasRunOut()) return problem('steps');
  // At the limit no memory is left to read the message.
  runtime.setMemoryLimit(2 * memoryBytesMax);
  const message: unknown = context.typeof(error) === 'object' ? context.dump(context.getProp(error, 'message')) : '';
  if (message === 'out of memory' || context.typeof(error) === 'null') return problem('memory');
  return message === 'stack overflow' ? problem('stack') : undefined;
};

const syntaxProblem = ({ context }: Engine, error: QuickJSHandle): ScriptOutcome => {
  const line: unknown = context.dump(context.getProp(error, 'lineNumber'));
  return { kind: 'problem', why: 'syntax', ...(typeof line === 'number' ? { line } : {}) };
};

/** The engine puts a value into words. */
const describeValue = (
  engine: Engine,
  describer: QuickJSHandle,
  kind: 'value' | 'fault',
  value: QuickJSHandle,
): ScriptOutcome => {
  const { context } = engine;
  const described = context.callFunction(context.getProp(describer, kind), context.undefined, value);
  if (described.error !== undefined) return exhaustionOf(engine, described.error) ?? { kind: 'fault', text: '' };
  return { kind, text: context.getString(described.value) };
};

/** The object `state` as the script left it. Its members may be code, which is counted too. */
const withState = (engine: Engine, describer: QuickJSHandle, outcome: ScriptOutcome): ScriptOutcome => {
  if (outcome.kind !== 'value') return outcome;
  const { context } = engine;
  const left = context.callFunction(context.getProp(describer, 'state'), context.undefined);
  if (left.error !== undefined) return exhaustionOf(engine, left.error) ?? outcome;
  return context.typeof(left.value) === 'string' ? { ...outcome, state: context.getString(left.value) } : outcome;
};

interface Settled {
  readonly kind: 'value' | 'fault';
  readonly value: QuickJSHandle;
}

/** A promise's outcome once all jobs have run, or the value itself. Undefined for endless jobs. */
const settledOf = ({ context, runtime }: Engine, value: QuickJSHandle): Settled | undefined => {
  const jobs = runtime.executePendingJobs(JOBS_MAX);
  if (jobs.error !== undefined) return { kind: 'fault', value: jobs.error };
  if (jobs.value >= JOBS_MAX) return undefined;
  if (context.typeof(value) !== 'object') return { kind: 'value', value };
  const state = context.getPromiseState(value);
  if (state.type === 'fulfilled') return { kind: 'value', value: state.value };
  if (state.type === 'rejected') return { kind: 'fault', value: state.error };
  return { kind: 'value', value: context.newString('a promise that nothing settles') };
};

const buildEngine = async ({ stepsMax, memoryBytesMax }: ScriptInput): Promise<Engine> => {
  const runtime = (await newQuickJSWASMModuleFromVariant(Promise.resolve(variant))).newRuntime();
  runtime.setMemoryLimit(memoryBytesMax);
  runtime.setMaxStackSize(STACK_BYTES_MAX);
  let steps = 0;
  runtime.setInterruptHandler(() => {
    steps += 1;
    return steps > stepsMax;
  });
  return { runtime, context: runtime.newContext(), memoryBytesMax, hasRunOut: () => steps > stepsMax };
};

const run = async (input: ScriptInput): Promise<ScriptOutcome> => {
  const engine = await buildEngine(input);
  const { context } = engine;
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'prelude'));
  const state = input.state === undefined ? context.undefined : context.newString(input.state);
  const given = [context.newNumber(input.now), context.newNumber(input.charsMax), state];
  const describer = context.unwrapResult(
    context.callFunction(prelude, context.undefined, ...given, context.newNumber(input.stateCharsMax)),
  );
  const parsed = context.evalCode(input.code, FILE, { type: 'global', compileOnly: true });
  if (parsed.error !== undefined) return exhaustionOf(engine, parsed.error) ?? syntaxProblem(engine, parsed.error);
  const done = context.evalCode(input.code, FILE, { type: 'global' });
  const settled: Settled | undefined =
    done.error === undefined ? settledOf(engine, done.value) : { kind: 'fault', value: done.error };
  if (settled === undefined) return problem('steps');
  const isOver = settled.kind === 'fault' ? exhaustionOf(engine, settled.value) : undefined;
  if (isOver !== undefined) return isOver;
  const outcome = describeValue(engine, describer, settled.kind, settled.value);
  return input.state === undefined ? outcome : withState(engine, describer, outcome);
};

const input: ScriptInput = workerData;
// The thread ends with its answer, so nothing is freed piece by piece.
parentPort?.postMessage(await run(input));
