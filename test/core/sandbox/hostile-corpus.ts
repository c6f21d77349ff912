import { TAKES_MORE } from '../../support/sample.ts';

/** Bodies of functions that try to escape, to exhaust or to deceive, and how each run ends. */
export interface HostileCase {
  readonly name: string;
  readonly body: string;
  readonly expected: object;
  /** It takes seconds until it has no steps left; another of its kind is in every run. */
  readonly isSlow?: true;
}

const problem = (why: string) => ({ kind: 'problem', why });
const value = (found: unknown) => ({ kind: 'value', value: found });
const nested = (open: string, close: string) =>
  `return eval(${JSON.stringify(open)}.repeat(20000) + "1" + ${JSON.stringify(close)}.repeat(20000))`;

const ALL: readonly HostileCase[] = [
  // loops
  { name: 'loops', body: 'for (;;);', expected: problem('steps') },
  { name: 'loops in a getter of its result', body: 'return { get a() { for (;;); } }', expected: problem('steps') },
  { name: 'loops in what it throws', body: 'throw { get message() { for (;;); } }', expected: problem('steps') },
  {
    name: 'catches every error and goes on',
    body: '(function again() { try { for (;;) again(); } catch { again(); } finally { again(); } })()',
    expected: problem('steps'),
  },
  {
    name: 'searches with an expression that backtracks',
    body: 'return /(a+)+b/.test("a".repeat(60))',
    expected: problem('steps'),
  },
  {
    name: 'looks through a list that says it is endless',
    body: 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    expected: problem('steps'),
    isSlow: true,
  },
  { name: 'works out a huge number', body: 'return String(3n ** 3000000n).length', expected: problem('threw') },
  {
    name: 'copies memory over and over',
    body: 'const s = "x".repeat(1e6); for (;;) s.slice(1) + s;',
    expected: problem('steps'),
    isSlow: true,
  },
  {
    name: 'sorts numbers without end',
    body: 'const list = new Uint8Array(2e7); for (;;) list.fill(7).sort();',
    expected: problem('steps'),
    isSlow: true,
  },
  {
    name: 'has an iterator without end',
    body: 'return [...{ *[Symbol.iterator]() { for (;;) yield 0; } }]',
    expected: problem('steps'),
  },
  // memory
  { name: 'allocates', body: 'const all = []; for (;;) all.push(new Uint8Array(1e6));', expected: problem('memory') },
  { name: 'doubles a string', body: 'let s = "x"; for (;;) s += s;', expected: problem('threw') },
  {
    name: 'asks for more than there is',
    body: 'return new ArrayBuffer(2 ** 31).byteLength',
    expected: problem('threw'),
  },
  // stack
  { name: 'calls itself', body: 'return gate()', expected: problem('stack') },
  {
    name: 'calls itself when it is shown',
    body: 'return String({ toString() { return String(this); } })',
    expected: problem('stack'),
  },
  {
    name: 'calls itself through a proxy',
    body: 'return new Proxy({}, { get: (_, key, self) => self[key] }).x',
    expected: problem('stack'),
  },
  { name: 'nests parentheses', body: nested('(', ')'), expected: problem('stack') },
  { name: 'nests lists', body: nested('[', ']'), expected: problem('stack') },
  { name: 'nests templates', body: nested('`${', '}`'), expected: problem('stack') },
  {
    name: 'nests groups of an expression',
    body: 'return new RegExp("(?:".repeat(20000) + ")".repeat(20000))',
    expected: problem('stack'),
  },
  { name: 'nests JSON', body: 'return JSON.parse("[".repeat(20000) + "]".repeat(20000))', expected: problem('stack') },
  {
    name: 'gives a result nested too deeply',
    body: 'let o = 1; for (let i = 0; i < 100; i += 1) o = [o]; return o',
    expected: problem('nonsense'),
  },
  // errors
  { name: 'throws', body: 'throw new Error("no")', expected: { ...problem('threw'), said: 'no' } },
  { name: 'throws nothing', body: 'throw undefined', expected: problem('threw') },
  {
    name: 'throws a huge text',
    body: 'throw new Error("y".repeat(1e5))',
    expected: { ...problem('threw'), said: 'y'.repeat(200) },
  },
  {
    name: 'throws hidden characters',
    body: 'throw "a\\u202e\\u{e0041}b"',
    expected: { ...problem('threw'), said: 'a\\u{202e}\\u{e0041}b' },
  },
  { name: 'throws a lone surrogate', body: 'throw "a\\ud800"', expected: problem('threw') },
  { name: 'pretends to have no memory', body: 'throw { message: "out of memory" }', expected: problem('memory') },
  // nonsense
  { name: 'gives nothing', body: '', expected: problem('nonsense') },
  { name: 'gives a function', body: 'return () => 1', expected: problem('nonsense') },
  { name: 'gives a symbol', body: 'return Symbol("s")', expected: problem('nonsense') },
  { name: 'gives a big number', body: 'return 5n', expected: problem('threw') },
  { name: 'gives a cycle', body: 'const o = {}; o.o = o; return o', expected: problem('threw') },
  { name: 'gives a number that nothing keeps', body: 'return 1e300', expected: problem('nonsense') },
  { name: 'gives a promise', body: 'return Promise.resolve({ verdict: "pass" })', expected: value({}) },
  { name: 'is async', body: 'return (async () => ({ verdict: "pass" }))()', expected: value({}) },
  {
    name: 'gives a proxy that throws',
    body: 'return new Proxy({}, { ownKeys() { throw 1; } })',
    expected: problem('threw'),
  },
  { name: 'floods its output', body: 'return "x".repeat(70000)', expected: problem('output') },
  // what differs between machines and moments
  { name: 'reads the clock', body: 'return Date.now()', expected: problem('threw') },
  {
    name: 'reads the clock another way',
    body: 'return [typeof Date, typeof performance, typeof Temporal, typeof Intl]',
    expected: value(['undefined', 'undefined', 'undefined', 'undefined']),
  },
  {
    name: 'asks for chance',
    body: 'return [typeof Math.random, typeof crypto]',
    expected: value(['undefined', 'undefined']),
  },
  {
    name: 'waits',
    body: 'return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)',
    expected: problem('threw'),
  },
  {
    name: 'asks for later work',
    body: 'return [typeof setTimeout, typeof setInterval, typeof queueMicrotask]',
    expected: value(['undefined', 'undefined', 'undefined']),
  },
  {
    name: 'leaves later work behind',
    body: 'let n = 0; Promise.resolve().then(() => { n = 1; globalThis.left = 1; }); return n',
    expected: value(0),
  },
  // ways out
  {
    name: 'looks for the host',
    body: 'return [typeof fetch, typeof require, typeof process, typeof global, typeof console, typeof std, typeof os, typeof WebAssembly]',
    expected: value(Array(8).fill('undefined')),
  },
  { name: 'imports', body: 'return import("node:fs")', expected: value({}) },
  {
    name: 'climbs to the constructor',
    body: 'return typeof ({}).constructor.constructor("return this")().process',
    expected: value('undefined'),
  },
  {
    name: 'climbs through its arguments',
    body: 'return typeof action.constructor.constructor("return this")().fetch',
    expected: value('undefined'),
  },
  {
    name: 'looks at its caller',
    body: 'return [typeof gate.caller, new Error().stack.includes("/")]',
    expected: value(['undefined', false]),
  },
  {
    name: 'changes what objects are',
    body: 'Object.prototype.left = 1; Array.prototype.left = 2; globalThis.left = 3; Object.freeze(Array.prototype); return 1',
    expected: value(1),
  },
  {
    name: 'changes how results are written',
    body: 'Object.prototype.toJSON = () => "mine"; JSON.stringify = () => 5; JSON.parse = () => 6; Reflect.apply = () => 7; return { a: facts.now }',
    expected: value('mine'),
  },
  {
    name: 'changes its arguments',
    body: 'action.tool = "none"; facts.now = 0; action.__proto__.left = 1; return [action.tool, facts.now]',
    expected: value(['none', 0]),
  },
  {
    name: 'gives a key that changes prototypes',
    body: 'return JSON.parse(\'{"__proto__": {"left": 1}}\')',
    expected: { kind: 'value' },
  },
];

export const HOSTILE = ALL.filter(({ isSlow }) => TAKES_MORE || isSlow === undefined);
