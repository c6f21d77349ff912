/** Vitest reporter: what the run took of the processors, and which files took most of it. */
import { cpus, loadavg } from 'node:os';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { ROOT } from '../../infra/bundling.ts';
import { spentBy } from './processor-time.ts';

const DEAREST = Number(process.env.DEAREST ?? 10);

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class TellCost implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map((module) => {
      const { cpuS = 0, stacks = 0 } = module.meta().cost ?? {};
      return { file: relative(ROOT, module.moduleId), project: module.project.name, cpuS, stacks };
    });
    const of = (project: string): string => {
      const mine = costs.filter((cost) => cost.project === project);
      return `${project} ${Math.round(mine.reduce((sum, { cpuS }) => sum + cpuS, 0))} s in ${mine.length} files`;
    };
    const projects = [...new Set(costs.map(({ project }) => project))].map(of).join(', ');
    const stacks = costs.reduce((sum, cost) => sum + cost.stacks, 0);
    const dearest = costs.toSorted((a, b) => b.cpuS - a.cpuS).slice(0, DEAREST);
    const load = loadavg()
      .map((one) => one.toFixed(1))
      .join(' ');
    process.once('exit', () =>
      process.stdout.write(
        [
          `Processor time: ${Math.round(spentBy('self'))} s in all; ${projects}. ${stacks} stacks started. Load ${load} on ${cpus().length} cores.`,
          ...dearest.map(({ file, cpuS }) => `  ${cpuS.toFixed(1).padStart(6)} s  ${file}`),
          '',
        ].join('\n'),
      ),
    );
  }
}
