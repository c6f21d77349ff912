/**
 * Reads a set of talks in LoCoMo's form: each talk has sessions of lines (`dia_id`, `speaker`,
 * `text`) on a day, and questions with the ids of the lines that answer them (`evidence`). It
 * leaves out questions without such a line in the talk. A file in another form is an error.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { dayOfTitle } from '../../../../lib/core/memory/search/time-span.ts';

export interface Line {
  readonly id: string;
  readonly text: string;
}

export interface Session {
  /** Epoch milliseconds of its day. */
  readonly at: number;
  readonly lines: readonly Line[];
}

export interface Talk {
  readonly sessions: readonly Session[];
  readonly questions: readonly { readonly text: string; readonly evidence: readonly string[] }[];
}

const Lines = z.array(z.object({ speaker: z.string(), dia_id: z.string(), text: z.string() }));
const Suite = z.array(
  z.object({
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(z.object({ question: z.string(), evidence: z.optional(z.array(z.string())) })),
  }),
);

const buildTalk = ({ conversation, qa }: z.infer<typeof Suite>[number]): Talk => {
  const names = Object.keys(conversation).filter((name) => /^session_\d+$/.test(name));
  const sessions = names.map((name): Session => {
    const day = dayOfTitle(z.string().parse(conversation[`${name}_date_time`]));
    if (day === undefined) throw new Error(`${name} has no day`);
    const lines = Lines.parse(conversation[name]);
    return { at: day.from, lines: lines.map((line) => ({ id: line.dia_id, text: `${line.speaker}: ${line.text}` })) };
  });
  const known = new Set(sessions.flatMap(({ lines }) => lines.map(({ id }) => id)));
  // Some questions of LoCoMo name several lines in one text.
  const questions = qa.map(({ question, evidence = [] }) => ({
    text: question,
    evidence: evidence.flatMap((text) => text.match(/D\d+:\d+/g) ?? []).filter((id) => known.has(id)),
  }));
  return { sessions, questions: questions.filter(({ evidence }) => evidence.length > 0) };
};

export const parseSuite = (json: unknown): readonly Talk[] => Suite.parse(json).map(buildTalk);

/** All files `.json` of a folder. */
export const readSuite = (folder: string): readonly Talk[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => parseSuite(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
