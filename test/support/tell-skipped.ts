/** Vitest reporter: the last line of a run says which tests were skipped, why, and how many. */
import type { Reporter, TestModule } from 'vitest/node';

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class TellSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const reasons = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        // A run of one project, file or name leaves the others out without a note: that was asked
        // for.
        const result = test.result();
        const reason = 'note' in result ? result.note : undefined;
        if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
    const told = [...reasons].map(([reason, count]) => `${count} skipped: ${reason}`);
    // After the summary, which the default reporter writes in this event too.
    if (told.length > 0) process.once('exit', () => process.stdout.write(`${told.join('\n')}\n`));
  }
}
