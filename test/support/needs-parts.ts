/**
 * Tells tests of pure code from tests that need parts: a server, another process, a thread or a
 * browser. Reads the imports of the test and of the files of `test` and `infra/local` behind it.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const VALUE_IMPORT = /^import (?!type\b)(?:[^;]*? from )?'([^']+)';/gms;
const PART = /^(?:node:(?:child_process|http|https|net|tls|worker_threads)|fauxqs|playwright-core)$/;
/**
 * The tests' own support and the local stack; what product code could connect to is not followed.
 */
const FOLLOWED = /^(?:test|infra\/local)\//;

/** Product code that starts processes or threads by itself. */
const STARTS_OTHERS =
  /^(?:infra\/runner\/(?:run-order|perform|contain|run-contained|check-content)|lib\/core\/sandbox\/thread)\.ts$/;

/** It replaces Node's clock, timers and randomness for good, in a process others would share. */
const REPLACES_NODE = /^test\/simulate\/machine\//;

/** @param file from `root`. Reads files, changes nothing. */
export const needsParts = (root: string, file: string, seen = new Set<string>()): boolean => {
  if (seen.has(file)) return false;
  seen.add(file);
  return [...readFileSync(join(root, file), 'utf8').matchAll(VALUE_IMPORT)].some(([, specifier = '']) => {
    if (PART.test(specifier)) return true;
    const target = specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : '';
    if (REPLACES_NODE.test(target) || STARTS_OTHERS.test(target)) return true;
    return FOLLOWED.test(target) && needsParts(root, target, seen);
  });
};
