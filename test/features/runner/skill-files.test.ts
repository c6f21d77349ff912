/** Files of a skill on the owner's machine, in the real sandbox: which are laid out, when none. */

import { hash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeSkillFiles } from '../../../infra/runner/skill-files.ts';
import { SKILL_FOLDER } from '../../../lib/core/signal/runner-tools.ts';
import { inSandbox, makeMachine } from './machine.ts';
import { type Args, buildOrder, pairMachine, shown } from './orders.ts';

const named = (path: string, content: string | Buffer) => ({
  path,
  sha256: hash('sha256', content),
  bytes: Buffer.byteLength(content),
});

const SCRIPT = 'cat "$(dirname "$0")/../data/words.bin"; echo x > data.txt; echo y > "$0" || true\n';
const WORDS = Buffer.from([0xff, 0x77, 0x6f, 0x0a]);
const FILES = [named('scripts/run.sh', SCRIPT), named('data/words.bin', WORDS)];
const AT = `${SKILL_FOLDER}/scripts/run.sh`;

const orderOf = (folder: string, args: Args = {}) =>
  buildOrder('shell', {
    ...{ cmd: `sh ${AT}`, folder, skill: 'words', files: FILES, scripts: [shown(AT, SCRIPT)] },
    ...args,
  });

describe('an order that names files of a skill', () => {
  inSandbox('finds exactly these bytes, read-only, and asks for each of them once', async (sandbox) => {
    const at = makeMachine();
    const { deliver, test } = await pairMachine(sandbox, at);
    test.files.set(FILES[0]?.sha256 ?? '', Buffer.from(SCRIPT)).set(FILES[1]?.sha256 ?? '', WORDS);
    const result = await deliver(orderOf(at.work));
    expect(result).toMatchObject({ state: 'done', changed: [{ path: join(at.work, 'data.txt'), kind: 'added' }] });
    expect(result?.text).toMatch(/wo\n[\s\S]*Read-only file system/i);
    test.files.clear();
    expect(await deliver(orderOf(at.work, { cmd: `./run.sh | cat`, folder: `${SKILL_FOLDER}/scripts` }))).toMatchObject(
      {
        state: 'done',
      },
    );
    // A command that only reads needs nobody's yes.
    const reading = { cmd: `wc -c ${SKILL_FOLDER}/data/words.bin`, scripts: [] };
    expect(await deliver(orderOf(at.work, reading))).toMatchObject({
      state: 'done',
      text: expect.stringContaining('4 '),
    });
  });

  inSandbox('runs nothing without the very files', async (sandbox) => {
    const at = makeMachine();
    const { deliver, test, claims } = await pairMachine(sandbox, at);
    const put = (bytes: Buffer) => test.files.set(FILES[1]?.sha256 ?? '', bytes);
    test.files.set(FILES[0]?.sha256 ?? '', Buffer.from(SCRIPT));
    const failed = async (args: Args = {}) => (await deliver(orderOf(at.work, args)))?.reason;
    expect(await failed()).toContain('no such file');
    put(Buffer.from('other'));
    expect(await failed()).toBe('the stack gave other bytes for data/words.bin than the order names');
    put(Buffer.concat([WORDS, WORDS]));
    expect(await failed()).toContain('other bytes');
    expect(readdirSync(at.work)).not.toContain('data.txt');
    const taken = claims.size;
    const refusals: readonly (readonly [Args, string])[] = [
      [{ scripts: [shown(AT, 'another')] }, 'is no file of the skill, or another than was shown'],
      [{ files: [named('data/words.bin', WORDS)] }, 'is no file of the skill'],
      [{ files: [named('../words.bin', WORDS)] }, 'files'],
      [{ files: [named('/etc/words.bin', WORDS)] }, 'files'],
      [{ cmd: `cp data.txt ${SKILL_FOLDER}/x`, scripts: [] }, 'outside'],
      [{ cmd: `cat ${SKILL_FOLDER}-x/y`, scripts: [] }, 'outside'],
      [{ skill: undefined as never, cmd: `cat ${SKILL_FOLDER}/x`, scripts: [] }, 'outside'],
    ];
    for (const [args, reason] of refusals) {
      const { skill, ...rest } = { skill: 'words', ...args };
      const order = orderOf(at.work, rest);
      const without = skill === undefined ? buildOrder('shell', { cmd: String(args.cmd), folder: at.work }) : order;
      expect(await deliver(without), JSON.stringify(args)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining(reason),
      });
    }
    expect(claims.size).toBe(taken);
  });
});

describe('takeSkillFiles', () => {
  it('compares what it has, and drops what was used longest ago', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'skill-files-'));
    const asked: string[] = [];
    const contents = ['aaaa', 'bbbb', 'cccc'];
    const take = (content: string) =>
      takeSkillFiles(
        folder,
        buildOrder('shell', { cmd: 'ls', skill: 'words', files: [named('a', content)] }),
        async ({ sha256 }) => {
          asked.push(content);
          const found = contents.find((one) => hash('sha256', one) === sha256) ?? '';
          return { base64: Buffer.from(found).toString('base64') };
        },
        8,
      );
    const [first = '', second = '', third = ''] = contents;
    const at = (content: string) => join(folder, hash('sha256', content));
    expect(await take(first)).toStrictEqual([{ from: at(first), to: `${SKILL_FOLDER}/a` }]);
    utimesSync(at(first), 1, 1);
    await take(second);
    utimesSync(at(second), 2, 2);
    await take(first);
    await take(third);
    expect(readdirSync(folder).toSorted()).toStrictEqual([first, third].map((one) => hash('sha256', one)).toSorted());
    chmodSync(at(third), 0o700);
    writeFileSync(at(third), 'dddd');
    await take(third);
    expect(asked).toStrictEqual([first, second, third, third]);
    expect(await takeSkillFiles(folder, buildOrder('shell', { cmd: 'ls' }), () => Promise.reject(), 0)).toStrictEqual(
      [],
    );
    rmSync(folder, { recursive: true });
  });
});
