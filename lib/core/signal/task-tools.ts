/**
 * The tools that a job leaves to the model, and whether its prompt shows memory. Both stand on a
 * line of their own in its words: an approver reads them there, the model does, and code keeps its
 * turn to them. A member of the job for them would make earlier releases refuse it. Pure.
 */
const LINE = /^Use only these tools: ([a-z0-9-]+(?:, [a-z0-9-]+)*)\.$/mu;

export const withTools = (text: string, tools: readonly string[]): string =>
  `${text.replace(LINE, '').trimEnd()}\nUse only these tools: ${tools.join(', ')}.`;

/** Undefined if the words name none: then the job has all that a job may use. */
export const toolsIn = (text: string): readonly string[] | undefined => LINE.exec(text)?.[1]?.split(', ');

/** `memory`: a prompt shows the focus, projects and notes that its words bring up. */
type JobContext = 'none' | 'memory';

const SHOWS_MEMORY = 'Show the notes of memory that fit.';

export const withContext = (text: string, context: JobContext): string => {
  const plain = text
    .split('\n')
    .filter((line) => line !== SHOWS_MEMORY)
    .join('\n');
  return context === 'none' ? plain : `${plain.trimEnd()}\n${SHOWS_MEMORY}`;
};

/** `none` if the words do not say: work in the background is repeated, and can look for itself. */
export const contextIn = (text: string): JobContext => (text.split('\n').includes(SHOWS_MEMORY) ? 'memory' : 'none');

/** The words that memory is searched by for a job: none without context, and no lines for code. */
export const memoryWordsIn = (text: string): string =>
  contextIn(text) === 'none' ? '' : withContext(text, 'none').replace(LINE, '');
