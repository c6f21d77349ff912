/** Judges an order by the allow-file and the disk as they are now: each is read again. */
import { statfsSync } from 'node:fs';
import { KIB } from '../../lib/base/limits.ts';
import type { Order } from '../../lib/runner/order.ts';
import { type Allowed, type ReadAllowed, readAllowFile } from './allow-file.ts';
import { EMPTY_SHA256 } from './build-result.ts';
import { judgeOrder } from './judge-order.ts';
import type { Permitted } from './perform.ts';
import type { RunnerFolder } from './runner-folder.ts';

/** An order taken on a full disk is lost: its lines, result and output cannot be written. */
const ROOM_BYTES_MIN = 16 * 1024 * KIB;

const firstProblem = (read: Extract<ReadAllowed, { kind: 'problems' }>): string => {
  const [first] = read.problems;
  return `runner.yaml has a fault${first === undefined ? '' : ` in line ${first.line}`}`;
};

type JudgedNow =
  | { readonly kind: 'refused'; readonly why: string; readonly allowHash: string }
  | { readonly kind: 'permitted'; readonly permitted: Permitted; readonly allowed: Allowed };

export const judgeNow = (folder: RunnerFolder, job: Order, now: number): JudgedNow => {
  const { bavail, bsize } = statfsSync(folder.path);
  if (bavail * bsize < ROOM_BYTES_MIN)
    return { kind: 'refused', why: 'the disk of this machine is full: make room', allowHash: EMPTY_SHA256 };
  const read = readAllowFile(folder.places);
  if (read.kind === 'problems') return { kind: 'refused', why: firstProblem(read), allowHash: EMPTY_SHA256 };
  const { allowed } = read;
  try {
    const judged = judgeOrder(job, allowed, now);
    if (judged.kind === 'permitted') return { kind: 'permitted', permitted: judged, allowed };
    return { ...judged, allowHash: allowed.hash };
  } catch (error) {
    return {
      kind: 'refused',
      why: `it could not be judged: ${error instanceof Error ? error.message : ''}`,
      allowHash: allowed.hash,
    };
  }
};
