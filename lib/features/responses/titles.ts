/**
 * Requests that front ends make by themselves beside a talk: a title, tags, questions to go on
 * with. Code answers them, without a turn. Only the words by which these programs themselves are
 * known count, so that no person's request is taken for one. Pure.
 */
import type { DoorRequest } from './request.ts';

const TITLE_WORDS_MAX = 6;
const TITLE_CHARS_MAX = 60;

/** Open WebUI's task prompts, but for the one that asks about documents, which is a person's. */
const TASK = /^### Task:\s*(?:Generate|Suggest|Analyze)\b/;
const TASK_ANSWERS = { tags: [], follow_ups: [], queries: [], text: '', emoji: '' } as const;
const TASK_WORDS = /<chat_history>\s*(?:USER:\s*)?([\s\S]*?)(?:\nASSISTANT:|<\/chat_history>)/;

/** opencode names the task in its system message, and in a message before the person's own. */
const TITLE_SYSTEM = /^You are a title generator\b/;
const TITLE_BEFORE = /^user: Generate a title for this conversation:/;
/** LibreChat puts the conversation behind its request. */
const TITLE_ASKED =
  /^Provide a concise, 5-word-or-less title for the conversation[^\n]*\n+(?:Conversation:\s*)?(?:User:\s*)?/;

const shorten = (text: string): string =>
  text.trim().split(/\s+/).slice(0, TITLE_WORDS_MAX).join(' ').slice(0, TITLE_CHARS_MAX).toWellFormed();

/** @returns undefined if it is no such request */
export const answerByCode = ({ said: { text = '', results = '' }, system }: DoorRequest): string | undefined => {
  if (TASK.test(text)) {
    if (/\{\s*"title":/.test(text)) return JSON.stringify({ title: shorten(TASK_WORDS.exec(text)?.[1] ?? '') });
    const wanted = Object.entries(TASK_ANSWERS).find(([name]) => new RegExp(`\\{\\s*"${name}":`).test(text));
    return wanted && JSON.stringify(Object.fromEntries([wanted]));
  }
  if (TITLE_ASKED.test(text)) return shorten(text.replace(TITLE_ASKED, ''));
  return TITLE_SYSTEM.test(system) && TITLE_BEFORE.test(results) ? shorten(text) : undefined;
};
