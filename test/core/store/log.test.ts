/**
 * Log lines are codes, ids and numbers (I11): there is no text in them to redact. So every call of
 * the log in the code is looked at: an event that is a fixed word, and fields that hold no text of
 * a person, a model or an error.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const SOURCES = ['lib', 'functions'].flatMap((folder) =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);
/** A call of the log with a level, an event and fields. */
const CALL = /\blog\(\s*'(?:debug|info|warn|error)',\s*([^,)]+)(?:,\s*(\{[^}]*\}))?/g;
const CALLS = SOURCES.flatMap((path) =>
  [...readFileSync(new URL(path, ROOT), 'utf8').matchAll(CALL)].map((match) => ({
    path,
    event: match[1]?.trim() ?? '',
    fields: match[2] ?? '',
  })),
);

describe('log', () => {
  it('is called somewhere', () => {
    expect(CALLS.length).toBeGreaterThanOrEqual(2);
  });

  it.each(CALLS)('names a fixed event in $path', ({ event }) => {
    expect(event).toMatch(/^'[a-z-]+'$/);
  });

  it.each(CALLS)('holds no text of others in $path: $fields', ({ fields }) => {
    expect(fields).not.toMatch(/\b(?:text|content|body|payload|prompt|answer|args|message|token|secret|stack)\b/);
  });
});
