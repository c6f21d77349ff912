/** The type of a comparison that a feature adds to `verify`: an export and a file of its own. */
import type { CommandContext } from '../command.ts';

export interface ExportCheck {
  /** Names the file: `--<option> <file>`. */
  readonly option: string;
  readonly help: string;
  /** The member of the command's output. */
  readonly member: string;
  /**
   * @param newestAt time of the export's newest leaf
   * @throws CliError if the file has another form
   */
  readonly compare: (
    context: CommandContext,
    exported: AsyncIterable<string>,
    file: AsyncIterable<string>,
    newestAt: number,
  ) => Promise<{ readonly data: object; readonly isDifferent: boolean; readonly lines: readonly string[] }>;
}
