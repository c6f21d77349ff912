/** Skills as their owner uses them: the real command on the whole local stack. */
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { openCli, type TestCli } from '../../support/cli.ts';
import { startTestStack, until } from '../../support/stack.ts';

const world = await startTestStack({ isPolling: false, environment: { MANDATORY_SKILLS: 'notes' } });
const command = openCli(world.stack.url);
afterAll(async () => {
  await world.stop();
  command.remove();
});

const cli: TestCli['run'] = (...words) => command.run(...words);
const write = (path: string, text: string | Buffer) => writeFileSync(join(command.folder, path), text);

const LOGO = Buffer.from([0x89, 0xff, 0xfe]);

describe('passepartout skill', () => {
  it('makes a skill that is fine as it is, and no other in its place', async () => {
    expect(await cli('skill', 'new', 'my-first')).toMatchObject({ code: 0 });
    expect(await cli('skill', 'test', 'my-first')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^my-first: 2 files, \d+ bytes, version [0-9a-f]{64}\n.*\nnothing is wrong with it\nthen: npx passepartout skill add my-first\n$/,
      ),
    });
    expect(await cli('skill', 'new', 'my-first')).toMatchObject({ code: 2 });
    expect(await cli('skill', 'new', 'My First')).toMatchObject({ code: 2 });
    expect(await cli('skill', 'new', 'in/a-new-folder')).toMatchObject({ code: 0 });
    expect(await cli('skill', 'show', 'nothing')).toMatchObject({ code: 1 });
    expect(await cli('chats', 'remove', '-100123')).toMatchObject({ code: 1, out: expect.stringContaining('-100123') });
    expect(await cli('skill', 'sing')).toMatchObject({ code: 2 });
    expect(await cli('skill', 'test', 'nowhere')).toMatchObject({ code: 2 });
  });

  it('names all that is wrong with a folder, and sends nothing of it', async () => {
    mkdirSync(join(command.folder, 'wrong'));
    write('wrong/SKILL.md', '---\nname: right\ndescription: [x]\n---\n');
    write('wrong/.hidden', 'left out');
    write('wrong/logo.png', LOGO);
    symlinkSync('/etc/hostname', join(command.folder, 'wrong/link.md'));
    const said = [
      'left out: .hidden (hidden)',
      'left out: link.md (a link out of the folder)',
      'logo.png: it is no text in UTF-8: kept as a file for a machine, which only commands there read',
      'SKILL.md line 3: description must be a string',
      '',
    ].join('\n');
    expect(await cli('skill', 'test', 'wrong')).toMatchObject({ code: 1, out: said });
    expect(await cli('skill', 'add', 'wrong')).toMatchObject({ code: 1, out: said });
  });

  it('runs the examples of a skill, and fails with the first that fails', async () => {
    mkdirSync(join(command.folder, 'quiet'));
    write('quiet/SKILL.md', '---\nname: quiet\ndescription: x\n---\n');
    write('quiet/passepartout.yaml', 'gates: [{ name: hush, file: hush.js }]\n');
    write(
      'quiet/hush.js',
      'function gate(action) { return { verdict: action.tool === "forget" ? "ask" : "pass" }; }\n',
    );
    write('quiet/examples.yaml', 'examples: [{ gate: hush, action: { tool: forget }, expect: ask }]\n');
    const passed = { code: 0, out: expect.stringMatching(/\nits example passes\nnothing is wrong with it\n/) };
    expect(await cli('skill', 'test', 'quiet')).toMatchObject(passed);
    write('quiet/examples.yaml', 'examples: [{ gate: hush, action: { tool: forget }, expect: block }]\n');
    const out = expect.stringMatching(/\nexample 1 \(gate hush\): it expects block and got ask\n$/);
    expect(await cli('skill', 'test', 'quiet')).toMatchObject({ code: 1, out });
  });

  it('adds a published skill unchanged, after it was shown whole; lists, shows and removes it', async () => {
    cpSync(join(ROOT, 'test/fixtures/skills/invoice-check'), join(command.folder, 'invoice-check'), {
      recursive: true,
    });
    const added = await cli('skill', 'add', 'invoice-check');
    expect(added.code).toBe(0);
    for (const line of readFileSync(join(command.folder, 'invoice-check/SKILL.md'), 'utf8').split('\n'))
      expect(added.out).toContain(line);
    expect(added.out).toMatch(/invoice-check [0-9a-f]{12} is in force: trust outside, 2 files, \d+ bytes\./);
    expect(added.out).toContain('only these tools are offered: recall, calculate, read-output.');
    expect((await cli('skill', 'list')).out).toMatch(
      /\ninvoice-check \(on, tier auto, priority 10, from outside, version [0-9a-f]{12}\): "Checks supplier/,
    );
    expect((await cli('skill', 'show', 'invoice-check', 'references/tax-rates.md')).out).toContain('| DE | 19 %');
    expect((await cli('send', 'invoice check: 1 x 2 = 3')).code).toBe(0);
    const { signals } = JSON.parse((await cli('signals', '--json')).out) as { signals: { id: string }[] };
    expect((await cli('why', signals[0]?.id ?? '')).out).toMatch(
      /Skill shown: invoice-check, version [0-9a-f]{64}[\s\S]*\nPolicy rules: 0\. Rules learned: 0\.\n/,
    );
    await until('the log is written', async () => {
      await cli('evidence', 'export', '--out', 'evidence.jsonl');
      return /"kind":"skill"/.test(readFileSync(join(command.folder, 'evidence.jsonl'), 'utf8'));
    });
    expect((await cli('verify', 'evidence.jsonl')).code).toBe(3);
    expect((await cli('skill', 'off', 'invoice-check')).out).toContain('(off: it is switched off');
    expect((await cli('skill', 'on', 'invoice-check')).out).toContain('(on,');
    expect(await cli('skill', 'remove', 'invoice-check')).toMatchObject({ code: 0 });
    expect((await cli('skill', 'list')).out).not.toContain('invoice-check');
    for (const [name, answer] of [
      ['invoice-check', 'there is no such skill'],
      ['programs', 'the skill programs is built in; npx passepartout skill off programs switches it off'],
    ] as const)
      expect(await cli('skill', 'remove', name)).toMatchObject({ code: 1, out: expect.stringContaining(answer) });
  });

  it('takes a folder of another name whole, with its picture and its very long file, until it is removed', async () => {
    mkdirSync(join(command.folder, 'My Skills'));
    write('My Skills/SKILL.md', '---\nname: mine\ndescription: Mine.\n---\nSee the books.\n');
    write('My Skills/logo.png', LOGO);
    write('My Skills/schema.xsd', 'x'.repeat(150_000));
    for (let n = 0; n < 40; n += 1) write(`My Skills/book-${n}.md`, `\ufeff${'a line of a book\n'.repeat(50)}`);
    const { code, out } = await cli('skill', 'add', 'My Skills', '--mine');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^logo\.png: it is no text .*\nschema\.xsd: it is longer than 98304 bytes: kept as a file for a/,
    );
    expect(out).toMatch(/mine [0-9a-f]{12} is in force: trust owner, 43 files/);
    expect(out).toContain(`File logo.png, 3 bytes, SHA-256 ${hash('sha256', LOGO)}: for a machine`);
    const shown = (await cli('skill', 'show', 'mine', 'schema.xsd')).out;
    expect(shown).toContain('schema.xsd is a file for a machine: 150000 bytes, SHA-');
    expect(shown).not.toContain('xxx');
    expect(out).not.toContain('cannot be decided here');
    const kept = () => readdirSync(join(world.dataDir, 'contents', 'default.skills')).toSorted();
    const hashes = [LOGO, 'x'.repeat(150_000)].map((content) => hash('sha256', content)).toSorted();
    expect(kept()).toStrictEqual(hashes);
    expect(await cli('skill', 'remove', 'mine')).toMatchObject({ code: 0 });
    expect(kept()).toStrictEqual([]);
    // For 30 days what was uploaded is there to go back to.
    const shownFirst = await cli('undo');
    const change = /undo ([0-9a-f]{6})\b/.exec(shownFirst.out)?.[1] ?? shownFirst.out;
    expect(await cli('undo', change)).toMatchObject({ code: 0 });
    const { body } = await world.api<{ approvals: { id: string }[] }>('GET', '/api/approvals');
    await world.api('POST', `/api/approvals/${body.approvals[0]?.id}`, { decision: 'approve' });
    await until('it is in force again', async () => (await cli('skill', 'list')).out.includes('mine (on'));
    expect(kept()).toStrictEqual(hashes);
  });

  it('adds a skill too large for one action by the hashes of its files', async () => {
    mkdirSync(join(command.folder, 'large'));
    write('large/SKILL.md', '---\nname: large\ndescription: Large.\n---\nSee the books.\n');
    write('large/a.md', 'a line of a book\n'.repeat(1_500));
    // In more than one piece.
    write('large/b.md', 'b line of a book 📖\n'.repeat(4_000));
    const added = await cli('skill', 'add', 'large', '--mine');
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining('is in force: trust owner, 3 files') });
    expect((await cli('skill', 'show', 'large', 'b.md')).out).toContain('b line of a book');
  });
});

describe('MANDATORY_SKILLS', () => {
  it('are not switched off, and a stack without one does not start and says why', async () => {
    expect(await cli('skill', 'off', 'notes')).toMatchObject({
      code: 1,
      out: 'Nothing was changed: the setting MANDATORY_SKILLS names notes.\n',
    });
    const start = startTestStack({ isPolling: false, environment: { MANDATORY_SKILLS: 'notes,house-rules' } });
    await expect(start).rejects.toThrow('MANDATORY_SKILLS: the skill house-rules is missing (there is no such skill)');
  });
});
