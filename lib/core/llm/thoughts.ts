/**
 * Thoughts that a server leaves in the content of an answer. Many templates put the opening tag
 * into the prompt, so an end tag alone closes thoughts too. Code in backticks may speak of tags.
 * Pure.
 */

const TAG = '(?:\\w+:)?(?:think|thinking|thought|reasoning)';
/** Those of Mistral, Kimi, Gemma and gpt-oss, and the tag of all others. */
const START = `<${TAG}>|\\[THINK\\]|◁think▷|<\\|channel>thought|<\\|channel\\|>analysis<\\|message\\|>`;
const END = `</${TAG}>|\\[/THINK\\]|◁/think▷|<channel\\|>|<\\|channel\\|>final<\\|message\\|>|<\\|end\\|>(?=<\\|start\\|>assistant)`;
const PAIR = new RegExp(`(?:${START})[\\s\\S]*?(?:${END})`, 'gi');
const LONE_END = new RegExp(`^[\\s\\S]*(?:${END})`, 'i');
const OPEN = new RegExp(`(?:${START})[\\s\\S]*$`, 'i');
const CODE = /```[\s\S]*?```|`[^`\n]+`/g;
/** So a model speaks to itself: nobody is called so in a chat with him. */
const SPEAKS_TO_ITSELF = /\b(?:the user|der (?:be)?nutzer)\b/i;

/** Code keeps its place and loses its content, so that places in both texts are the same. */
const withoutCode = (text: string): string => text.replace(CODE, (code) => '`'.repeat(code.length));

/** Most answers have none of the marks, and a stream asks for each of its pieces. */
const MARK = /[<[◁]/;

/** The text but for closed thoughts. Thoughts that begin it may hold any code. */
const withoutPairs = (text: string): string => {
  const begun = text.trimStart();
  const [pair] = new RegExp(`^(?:${PAIR.source})`, 'i').exec(begun) ?? [];
  if (pair !== undefined) return withoutPairs(begun.slice(pair.length));
  const found = withoutCode(text).matchAll(PAIR);
  return [...found].reduceRight(
    (rest, { index, 0: all }) => rest.slice(0, index) + rest.slice(index + all.length),
    text,
  );
};

/** Whether thoughts end in it that never began. */
export const hasLoneEnd = (text: string): boolean => MARK.test(text) && LONE_END.test(withoutCode(withoutPairs(text)));

const [CALL, CALL_END] = ['<tool_call>', '</tool_call>'];

/** GLM and Qwen begin calls before they end their thoughts: those that end the answer are meant. */
const callsAtEnd = (thoughts: string): string => {
  let rest = thoughts.trimEnd();
  while (rest.endsWith(CALL_END)) rest = rest.slice(0, Math.max(rest.lastIndexOf(CALL), 0)).trimEnd();
  return thoughts.slice(rest.length);
};

/** The words said aloud; thoughts that never end leave nothing after them but calls. */
export const withoutThoughts = (text: string): string => {
  if (!MARK.test(text)) return text;
  const rest = withoutPairs(text);
  const aloud = rest.slice(LONE_END.exec(withoutCode(rest))?.[0].length ?? 0);
  const open = withoutCode(aloud).search(OPEN);
  return open < 0 ? aloud : `${aloud.slice(0, open)}${callsAtEnd(aloud.slice(open))}`;
};

/** The same of an answer that is still coming: nothing while it may all be thoughts. */
export const aloudSoFar = (text: string, endsAlone: boolean): string =>
  hasLoneEnd(text) || !(endsAlone || SPEAKS_TO_ITSELF.test(text)) ? withoutThoughts(text) : '';
