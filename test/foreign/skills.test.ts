/** Folders of skills as people publish them, files of `skills/`, through the reader of folders. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readSkillFolder } from '../../infra/features/skills/skill-folder.ts';
import { problemWords } from '../../lib/core/base/file-problem.ts';
import { readCases } from './read-cases.ts';

const Texts = z.record(z.string(), z.string());
const Names = z.array(z.string());
const Case = z.strictObject({
  by: z.string(),
  files: Texts,
  /** In base64. */
  bytes: Texts.default({}),
  links: Texts.default({}),
  /** Bytes of plain lines that follow the text of a file. */
  longer: z.record(z.string(), z.int()).default({}),
  expect: z.strictObject({
    skill: z.record(z.string(), z.unknown()).optional(),
    /** Members that the definition has not. */
    absent: Names.default([]),
    descriptionChars: z.int().optional(),
    files: Names.optional(),
    /** Bytes of each file that only a machine reads. */
    machineFiles: z.record(z.string(), z.int()).default({}),
    leftOut: Names.default([]),
    remarks: Names.default([]),
    problems: Names.default([]),
  }),
});

let root = '';
afterEach(() => rmSync(root, { recursive: true }));

const write = ({ files, bytes, links, longer }: z.output<typeof Case>): void => {
  root = mkdtempSync(join(tmpdir(), 'skill-'));
  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, text] of Object.entries(files)) put(path, text + 'words\n'.repeat((longer[path] ?? 0) / 6));
  for (const [path, text] of Object.entries(bytes)) put(path, Buffer.from(text, 'base64'));
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
};

describe('a published skill', () => {
  it.each(readCases('skills', Case))('$name', async (one) => {
    write(one);
    const expected = one.expect;
    const { files, machineFiles, leftOut, remarks, problems, parsed } = await readSkillFolder(root, '.');
    expect(problems.map(problemWords)).toStrictEqual(expected.problems);
    expect(leftOut).toStrictEqual(expected.leftOut);
    expect(remarks.map(problemWords)).toStrictEqual(expected.remarks);
    if (expected.files !== undefined) expect(files.map(({ path }) => path)).toStrictEqual(expected.files);
    const sizes = machineFiles.map(({ path, bytes }) => [path, bytes]);
    expect(Object.fromEntries(sizes)).toStrictEqual(expected.machineFiles);
    const definition = parsed.kind === 'skill' ? parsed.definition : undefined;
    if (expected.skill !== undefined) expect(definition).toMatchObject(expected.skill);
    for (const member of expected.absent) expect(definition).not.toHaveProperty(member);
    if (expected.descriptionChars !== undefined)
      expect(definition?.description).toHaveLength(expected.descriptionChars);
  });
});
