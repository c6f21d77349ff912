/** Cuts a tool's output to what the model is shown, and says that it was cut. Always well-formed Unicode, so it can be hashed. */
import { TOOL_OUTPUT_CHARS_MAX } from '../limits.ts';

const CUT = '\n(cut here: the output was longer)';

export const boundOutput = (output: string): string =>
  (output.length <= TOOL_OUTPUT_CHARS_MAX
    ? output
    : `${output.slice(0, TOOL_OUTPUT_CHARS_MAX - CUT.length)}${CUT}`
  ).toWellFormed();
