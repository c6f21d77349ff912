/**
 * The tools that a job leaves to the model. They stand on a line of their own in its words: an
 * approver reads them there, the model does, and code narrows its turn by them. A member of the
 * job for them would make earlier releases refuse it. Pure.
 */
const LINE = /^Use only these tools: ([a-z0-9-]+(?:, [a-z0-9-]+)*)\.$/mu;

export const withTools = (text: string, tools: readonly string[]): string =>
  `${text.replace(LINE, '').trimEnd()}\nUse only these tools: ${tools.join(', ')}.`;

/** Undefined if the words name none: then the job has all that a job may use. */
export const toolsIn = (text: string): readonly string[] | undefined => LINE.exec(text)?.[1]?.split(', ');
