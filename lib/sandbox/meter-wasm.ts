/**
 * Puts a count of steps into a WebAssembly module. A step is a call of a function, a round of a
 * loop, or 256 bytes that are copied or filled. The module traps if no step is left, or if calls
 * are nested too deeply. The count depends on the module and its input alone: it is the same on
 * every machine, and no regular expression, sort or huge number escapes it. The module's memory
 * ends where the global `pages` says. Throws ConfigError for an instruction it does not know.
 */
import { ConfigError } from '../base/errors.ts';

/** Globals that the new module exports: its stack pointer, steps left, and pages of memory. */
export const METER_EXPORTS = { stack: 'stack', steps: 'steps', pages: 'pages', depth: 'depth' } as const;

/** Copying 256 bytes takes about as long as a round of a small loop. */
const BYTES_PER_STEP_SHIFT = 8;

/** Calls within calls of the module: a quarter of the stack that a thread of Node has. */
export const CALL_DEPTH_MAX = 1_000;

const HEADER_BYTES = 8;
const SECTION = { global: 6, export: 7, code: 10 } as const;
const GLOBAL_KIND = 3;
/** The one global that the module had before. */
const STACK = 0;
const STEPS = 1;
const PAGES = 2;
/** Calls that have not returned. */
const DEPTH = 3;
/** Keeps the size of a copy while it is paid for. */
const SIZE = 4;

const OP = {
  unreachable: 0x00,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  getGlobal: 0x23,
  setGlobal: 0x24,
  brTable: 0x0e,
  call: 0x10,
  callIndirect: 0x11,
  memorySize: 0x3f,
  i32Const: 0x41,
  f32Const: 0x43,
  f64Const: 0x44,
  lessThan: 0x48,
  moreThan: 0x4a,
  add: 0x6a,
  subtract: 0x6b,
  shiftRight: 0x76,
  prefix: 0xfc,
} as const;
const I32 = 0x7f;
const NO_RESULT = 0x40;

const PAY_A_STEP = [
  ...[OP.getGlobal, STEPS, OP.i32Const, 1, OP.subtract, OP.setGlobal, STEPS],
  ...[OP.getGlobal, STEPS, OP.i32Const, 0, OP.lessThan, OP.if, NO_RESULT, OP.unreachable, OP.end],
];
/** The size is on top of the stack, and stays there. */
const PAY_FOR_SIZE = [
  ...[OP.setGlobal, SIZE, OP.getGlobal, STEPS, OP.getGlobal, SIZE, OP.i32Const, BYTES_PER_STEP_SHIFT],
  ...[OP.shiftRight, OP.subtract, OP.setGlobal, STEPS, OP.getGlobal, SIZE],
];

/** LEB128, as all numbers of a module. */
const numberBytes = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(value >>> 7)];

/** A constant has a sign: the sixth bit of the last byte of a positive one is 0. */
const signedBytes = (value: number): readonly number[] => {
  const bytes = numberBytes(value);
  const last = bytes.at(-1) ?? 0;
  return (last & 0x40) === 0 ? bytes : [...bytes.slice(0, -1), last | 0x80, 0];
};

const ENTER = [
  ...[OP.getGlobal, DEPTH, OP.i32Const, 1, OP.add, OP.setGlobal, DEPTH],
  ...[
    OP.getGlobal,
    DEPTH,
    OP.i32Const,
    ...signedBytes(CALL_DEPTH_MAX),
    OP.moreThan,
    OP.if,
    NO_RESULT,
    OP.unreachable,
    OP.end,
  ],
];
const LEAVE = [OP.getGlobal, DEPTH, OP.i32Const, 1, OP.subtract, OP.setGlobal, DEPTH];

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

const readByte = (reader: Reader): number => {
  const byte = reader.bytes[reader.at];
  if (byte === undefined) throw new ConfigError(['the WebAssembly module ends too early']);
  reader.at += 1;
  return byte;
};

const readNumber = (reader: Reader): number => {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = readByte(reader);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
};

const skipNumbers = (reader: Reader, count: number): void => {
  for (let n = 0; n < count; n += 1) while (readByte(reader) >= 0x80);
};

const isIn = (op: number, first: number, last: number): boolean => op >= first && op <= last;

/** How many numbers follow a plain opcode; undefined for one that has another form. */
const numbersAfter = (op: number): number | undefined => {
  if (isIn(op, 0x02, 0x04) || isIn(op, 0x0c, 0x0d) || op === 0x10 || isIn(op, 0x20, 0x24)) return 1;
  if (isIn(op, 0x3f, 0x42)) return 1;
  if (op === 0x11 || isIn(op, 0x28, 0x3e)) return 2;
  if (op <= 0x01 || op === 0x05 || op === OP.end || op === 0x0f || isIn(op, 0x1a, 0x1b)) return 0;
  return isIn(op, 0x45, 0xc4) ? 0 : undefined;
};

const COPY = 10;
const FILL = 11;
const LAST_CONVERSION = 7;

/** Bytes that are written after an instruction, or in its place. */
interface Change {
  readonly isInstead?: true;
  readonly bytes: readonly number[];
}

const changeOfPrefixed = (reader: Reader, from: number): Change | undefined => {
  const kind = readNumber(reader);
  if (kind <= LAST_CONVERSION) return undefined;
  if (kind !== COPY && kind !== FILL) throw unknownInstruction(kind);
  skipNumbers(reader, kind === COPY ? 2 : 1);
  return { isInstead: true, bytes: [...PAY_FOR_SIZE, ...reader.bytes.subarray(from, reader.at)] };
};

const unknownInstruction = (op: number): ConfigError =>
  new ConfigError([`the WebAssembly module has the unknown instruction ${op}`]);

/** Moves over one instruction. */
const readInstruction = (reader: Reader): Change | undefined => {
  const from = reader.at;
  const op = readByte(reader);
  if (op === OP.prefix) return changeOfPrefixed(reader, from);
  if (op === OP.brTable) skipNumbers(reader, readNumber(reader) + 1);
  else if (op === OP.f32Const) reader.at += 4;
  else if (op === OP.f64Const) reader.at += 8;
  else {
    const numbers = numbersAfter(op);
    if (numbers === undefined) throw unknownInstruction(op);
    skipNumbers(reader, numbers);
  }
  if (op === OP.call || op === OP.callIndirect)
    return { isInstead: true, bytes: [...ENTER, ...reader.bytes.subarray(from, reader.at), ...LEAVE] };
  if (op === OP.loop) return { bytes: PAY_A_STEP };
  return op === OP.memorySize ? { isInstead: true, bytes: [OP.getGlobal, PAGES] } : undefined;
};

const bytesOf = (values: readonly number[]): Uint8Array => Uint8Array.from(values);

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** One function: its locals stay, and its code pays. */
const meterFunction = (reader: Reader): readonly Uint8Array[] => {
  const end = readNumber(reader) + reader.at;
  let copied = reader.at;
  const parts: Uint8Array[] = [];
  const copyUpTo = (to: number, bytes: readonly number[]): void => {
    parts.push(reader.bytes.subarray(copied, to), bytesOf(bytes));
    copied = reader.at;
  };
  for (let groups = readNumber(reader); groups > 0; groups -= 1) skipNumbers(reader, 2);
  copyUpTo(reader.at, PAY_A_STEP);
  while (reader.at < end) {
    const from = reader.at;
    const change = readInstruction(reader);
    if (change !== undefined) copyUpTo(change.isInstead === true ? from : reader.at, change.bytes);
  }
  parts.push(reader.bytes.subarray(copied, end));
  return [bytesOf(numberBytes(sizeOf(parts))), ...parts];
};

const meterCode = (reader: Reader): readonly Uint8Array[] => {
  const count = readNumber(reader);
  const parts = Array.from({ length: count }, () => meterFunction(reader));
  return [bytesOf(numberBytes(count)), ...parts.flat()];
};

/** Adds entries to the end of a section, which begins with their number. */
const addEntries = (reader: Reader, end: number, count: number, added: readonly number[]): readonly Uint8Array[] => {
  const before = readNumber(reader);
  return [bytesOf(numberBytes(before + count)), reader.bytes.subarray(reader.at, end), bytesOf(added)];
};

/** A global that may change. */
const globalOf = (value: number): readonly number[] => [I32, 1, OP.i32Const, ...signedBytes(value), OP.end];

const exportOf = (name: string, global: number): readonly number[] => [
  name.length,
  ...Buffer.from(name, 'latin1'),
  GLOBAL_KIND,
  global,
];

/** Steps and pages that the module begins with. */
interface Start {
  readonly steps: number;
  readonly pages: number;
}

const meterSection = (reader: Reader, id: number, end: number, start: Start): readonly Uint8Array[] => {
  switch (id) {
    case SECTION.global:
      if (reader.bytes[reader.at] !== 1)
        throw new ConfigError(['the WebAssembly module has other globals than expected']);
      return addEntries(reader, end, 4, [start.steps, start.pages, 0, 0].flatMap(globalOf));
    case SECTION.export:
      return addEntries(reader, end, 4, [
        ...exportOf(METER_EXPORTS.stack, STACK),
        ...exportOf(METER_EXPORTS.steps, STEPS),
        ...exportOf(METER_EXPORTS.pages, PAGES),
        ...exportOf(METER_EXPORTS.depth, DEPTH),
      ]);
    case SECTION.code:
      return meterCode(reader);
    default:
      return [reader.bytes.subarray(reader.at, end)];
  }
};

const meterSections = function* (reader: Reader, start: Start): Generator<Uint8Array> {
  while (reader.at < reader.bytes.length) {
    const id = readByte(reader);
    const end = readNumber(reader) + reader.at;
    const section = meterSection(reader, id, end, start);
    yield bytesOf([id, ...numberBytes(sizeOf(section))]);
    yield* section;
    reader.at = end;
  }
};

/** @returns the bytes of the module that counts its steps */
export const meterWasm = (bytes: Uint8Array, start: Start): Uint8Array<ArrayBuffer> => {
  const sections = meterSections({ bytes, at: HEADER_BYTES }, start);
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, HEADER_BYTES), ...sections]));
};
