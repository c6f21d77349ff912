/**
 * Colours of verdicts and states: green went through, yellow waits for a person, red did not
 * happen.
 */
import type { PaintWord } from './render-why.ts';
import type { Terminal } from './terminal.ts';

const GOOD: ReadonlySet<string> = new Set(['pass', 'act', 'acted', 'done', 'healthy', 'ok']);
const WAITING: ReadonlySet<string> = new Set([
  'ask',
  'modify',
  'suspended',
  'pending',
  'claimed',
  'waiting',
  'degraded',
]);
const BAD: ReadonlySet<string> = new Set([
  'block',
  'refuse',
  'refused',
  'failed',
  'unknown',
  'dropped',
  'dead-lettered',
  'unhealthy',
  'wrong',
]);

export const paintWith =
  (terminal: Pick<Terminal, 'paint'>): PaintWord =>
  (word, padded) => {
    if (GOOD.has(word)) return terminal.paint('green', padded);
    if (WAITING.has(word)) return terminal.paint('yellow', padded);
    return BAD.has(word) ? terminal.paint('red', padded) : padded;
  };
