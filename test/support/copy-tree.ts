/** A copy of the files that a person edits, for tests that edit them as a person would. */
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../infra/bundling.ts';

const PARTS = ['lib', 'functions', 'infra', 'test', 'package.json', 'tsconfig.json', 'cdk.json'];

/** @returns the folder of the copy, with the installed packages of this tree */
export const copyTree = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `passepartout-${name}-`));
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

export const changeFile = (path: string, edit: (text: string) => string): void =>
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
