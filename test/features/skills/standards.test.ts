/** The skills that come ready to be added: they load, and their own examples pass. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { loadSandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { parseSkill } from '../../../lib/features/skills/parse-skill.ts';
import { runExamples } from '../../../lib/features/skills/skill-examples.ts';

const ROOM = join(ROOT, 'lib/features/skills/to-add');

describe('skills to add', () => {
  it.each(readdirSync(ROOM))('%s loads, and passes its own examples', async (name) => {
    const folder = join(ROOM, name);
    const files = readdirSync(folder).map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
    const sandbox = await loadSandbox();
    const parsed = parseSkill(files, sandbox);
    if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
    const results = runExamples(sandbox, parsed.definition, files);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ problem }) => problem !== undefined)).toStrictEqual([]);
  });
});
