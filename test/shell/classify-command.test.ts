// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own spelling
/**
 * The class of a command, over a corpus of five classes in many spellings, and the paths, programs
 * and lines for a card that come with it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../lib/shell/classify-command.ts';
import { CommandClass } from '../../lib/signal/facts.ts';
import { fc } from '../support/fast-check.ts';
import { GROWTH_MAX, growthOf } from '../support/growth.ts';

const HERE = { folder: '/home/ada/work', home: '/home/ada' };
const classify = (command: string) => classifyCommand(command, HERE);

interface Labelled {
  readonly label: CommandClass;
  readonly command: string;
}

/** A heading `# class`, then one command a line; `⏎` stands for a line's end. */
const readCorpus = (text: string): readonly Labelled[] => {
  let label: CommandClass = 'unseen';
  return text.split('\n').flatMap((line) => {
    const heading = /^# (\w+)$/.exec(line)?.[1];
    if (heading !== undefined) label = CommandClass.parse(heading);
    return heading !== undefined || line === '' ? [] : [{ label, command: line.replaceAll('⏎', '\n') }];
  });
};

const CORPUS = readCorpus(readFileSync(new URL('command-classes.txt', import.meta.url), 'utf8'));
const NOT_READS = CORPUS.filter(({ label }) => label !== 'reads').map(({ command }) => command);

describe('classifyCommand', () => {
  it('is right for 98 of 100 commands at least, and never takes one for harmless', () => {
    const wrong = CORPUS.map((one) => ({ ...one, found: classify(one.command).class })).filter(
      ({ label, found }) => label !== found,
    );
    const right = 1 - wrong.length / CORPUS.length;
    process.stdout.write(`command classes: ${CORPUS.length} commands, ${(100 * right).toFixed(1)} % right\n`);
    expect(wrong.filter(({ found }) => found === 'reads')).toStrictEqual([]);
    expect(wrong).toStrictEqual([]);
    expect(CORPUS.length).toBeGreaterThanOrEqual(600);
  });
});
