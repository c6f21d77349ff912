/**
 * QuickJS with counted steps, loaded once for a process. `begin` puts its memory back to the image
 * taken after the start, so that nothing of one run is left for the next, and both begin alike.
 * Throws ConfigError if the engine is not the one this file was written for.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core';
import { ConfigError } from '../base/errors.ts';
import { KIB } from '../base/limits.ts';
import { CALL_DEPTH_MAX, METER_EXPORTS, meterWasm } from './meter-wasm.ts';

const PAGE_BYTES = 64 * KIB;
/** The engine's data and stack, the largest heap of a run, and room between its pieces: 48 MB. */
const MEMORY_PAGES = 768;
/** Memory at the start: data, stack and a small heap, 6 MB. A run that needs more gets it. */
const START_PAGES = 96;
/** Some hundred calls of the code within each other. */
const STACK_BYTES_MAX = 64 * KIB;
/** The start itself takes a thousandth of them. */
const START_STEPS = 100_000_000;
/** Of the one release whose imports are known here by their letters. */
const WASM_SHA256 = '105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232';

/** No `Date`. */
const INTRINSICS = {
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

/**
 * Removes what differs between machines or moments. Gives a function that calls a function of the
 * code. Arguments and result are JSON text; the result is undefined if JSON cannot say it.
 */
const PRELUDE = `(function () {
  'use strict';
  const { apply } = Reflect;
  const { parse, stringify } = JSON;
  delete Math.random;
  delete globalThis.performance;
  return (called, input) => stringify(apply(called, undefined, parse(input)));
})()`;

export interface Engine {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  /** Calls a function with a list of arguments as JSON text. */
  readonly caller: QuickJSHandle;
  readonly begin: (stepsMax: number) => void;
  /** Below zero if none is left. */
  readonly stepsLeft: () => number;
  /** The bound that ended a run which no code could catch. */
  readonly boundOf: (error: unknown) => 'steps' | 'stack' | 'memory';
}

/** Beside the bundle (`infra/bundling.ts`), or in its package. */
const wasmPath = (): string =>
  import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
    : fileURLToPath(new URL('./emscripten-module.wasm', import.meta.url));

const globalOf = (exports: WebAssembly.Exports, name: string): WebAssembly.Global => {
  const found = exports[name];
  if (!(found instanceof WebAssembly.Global)) throw new ConfigError([`the sandbox's engine has no ${name}`]);
  return found;
};

/** What the engine would learn from the machine: its clock, time zone, language and free memory. */
const buildImports = (memory: WebAssembly.Memory, setPages: (pages: number) => void): WebAssembly.ModuleImports => {
  const words = new DataView(memory.buffer);
  return {
    /** environ_sizes_get: no variables. */
    f: (count: number, size: number): number => {
      words.setUint32(count, 0, true);
      words.setUint32(size, 0, true);
      return 0;
    },
    /** environ_get */
    e: () => 0,
    /** emscripten_date_now, localtime, tzset: asked once for a seed that nothing uses. */
    p: () => 0,
    m: silent,
    n: silent,
    /** emscripten_resize_heap */
    k: (wanted: number): number => {
      const pages = Math.ceil((wanted >>> 0) / PAGE_BYTES);
      if (pages <= MEMORY_PAGES) setPages(pages);
      return pages <= MEMORY_PAGES ? 1 : 0;
    },
  };
};

const silent = (): void => {};

interface Machine {
  readonly runtime: QuickJSRuntime;
  readonly exports: WebAssembly.Exports;
}

/**
 * The memory has its full size from the start. The module is told of a part, and may ask for more.
 */
const startMachine = async (wasm: Uint8Array, memory: WebAssembly.Memory): Promise<Machine> => {
  const module = new WebAssembly.Module(meterWasm(wasm, { steps: START_STEPS, pages: START_PAGES }));
  let exports: WebAssembly.Exports = {};
  const own = buildImports(memory, (pages) => {
    globalOf(exports, METER_EXPORTS.pages).value = pages;
  });
  const instantiateWasm = (
    { a: imports = {} }: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports => {
    const instance = new WebAssembly.Instance(module, { a: { ...imports, ...own } });
    exports = instance.exports;
    done(instance);
    return exports;
  };
  const emscriptenModule = { instantiateWasm, print: silent, printErr: silent };
  // Its types describe the CommonJS form, which has one `default` more.
  const variant = newVariant('default' in release ? release.default : release, {
    wasmMemory: memory,
    emscriptenModule,
  });
  const runtime = (await newQuickJSWASMModuleFromVariant(variant)).newRuntime();
  return { runtime, exports };
};

/** Takes the image of memory and globals. Gives a function that puts both back. */
const buildBegin = (memory: WebAssembly.Memory, exports: WebAssembly.Exports): Engine['begin'] => {
  const [stack, steps, pages, depth] = [
    globalOf(exports, METER_EXPORTS.stack),
    globalOf(exports, METER_EXPORTS.steps),
    globalOf(exports, METER_EXPORTS.pages),
    globalOf(exports, METER_EXPORTS.depth),
  ];
  const start = { stack: stack.value, pages: pages.value };
  const bytes = new Uint8Array(memory.buffer);
  const image = bytes.slice(0, start.pages * PAGE_BYTES);
  return (stepsMax) => {
    bytes.fill(0, image.length, pages.value * PAGE_BYTES);
    bytes.set(image);
    stack.value = start.stack;
    pages.value = start.pages;
    depth.value = 0;
    steps.value = stepsMax;
  };
};

export const loadEngine = async (): Promise<Engine> => {
  const wasm = await readFile(wasmPath());
  if (hash('sha256', wasm) !== WASM_SHA256) throw new ConfigError(["the sandbox's engine is of another release"]);
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
  const { runtime, exports } = await startMachine(wasm, memory);
  runtime.setMaxStackSize(STACK_BYTES_MAX);
  const context = runtime.newContext({ intrinsics: INTRINSICS });
  const caller = context.unwrapResult(context.evalCode(PRELUDE, 'prelude'));
  // The wrapper remembers some values after their first use.
  context.callFunction(caller, context.undefined, context.null, context.newString('[]'));
  const [steps, depth] = [globalOf(exports, METER_EXPORTS.steps), globalOf(exports, METER_EXPORTS.depth)];
  return {
    runtime,
    context,
    caller,
    begin: buildBegin(memory, exports),
    stepsLeft: () => steps.value,
    boundOf: (error) => {
      if (steps.value < 0) return 'steps';
      return depth.value > CALL_DEPTH_MAX || error instanceof RangeError ? 'stack' : 'memory';
    },
  };
};
