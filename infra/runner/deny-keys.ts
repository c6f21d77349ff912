/**
 * A filter of system calls, in the kernel's form, that denies its keyring: no namespace keeps a
 * command from the keys of its owner's session. Calls of other processors' forms are denied too,
 * for they have other numbers. Pure.
 */

/** By Linux's headers: the processor's mark, and the calls `add_key`, `request_key`, `keyctl`. */
const PROCESSORS: Readonly<Record<string, { readonly mark: number; readonly first: number; readonly last: number }>> = {
  x64: { mark: 0xc000003e, first: 248, last: 250 },
  arm64: { mark: 0xc00000b7, first: 217, last: 219 },
};

/** Instructions of the filter's machine. */
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_GREATER = 0x25;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
/** What is looked at: places in the kernel's record of a call. */
const CALL = 0;
const MARK = 4;
/** A second form of x64's calls begins here. */
const X32_FIRST = 0x40000000;
const ALLOW = 0x7fff0000;
/** The call fails as one that is not permitted. */
const DENY = 0x00050001;

/** An instruction: what it does, how many to skip if it holds and if not, and its value. */
type Instruction = readonly [code: number, skipIf: number, skipElse: number, value: number];

const encode = ([code, skipIf, skipElse, value]: Instruction): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(skipIf, 2);
  bytes.writeUInt8(skipElse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
};

/** @param processor as Node names it @returns undefined if its calls are not known here */
export const keysDenied = (processor: string): Buffer | undefined => {
  const known = PROCESSORS[processor];
  if (known === undefined) return undefined;
  const filter: readonly Instruction[] = [
    [LOAD, 0, 0, MARK],
    [IF_EQUAL, 0, 5, known.mark],
    [LOAD, 0, 0, CALL],
    [IF_AT_LEAST, 3, 0, X32_FIRST],
    [IF_AT_LEAST, 0, 1, known.first],
    [IF_GREATER, 0, 1, known.last],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, DENY],
  ];
  return Buffer.concat(filter.map(encode));
};
