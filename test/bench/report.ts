/** One row of the benchmark's table, whether it meets its goal, and the table as text. Pure. */

export interface Goal {
  readonly is: '≤' | '≥';
  readonly value: number;
}

export interface Row {
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: Goal;
  /** What to know to read the number. */
  readonly note?: string;
}

export const isMet = ({ value, goal }: Row): boolean | undefined => {
  if (goal === undefined) return undefined;
  return goal.is === '≤' ? value <= goal.value : value >= goal.value;
};

const digitsOf = (value: number): number => {
  if (Number.isInteger(value)) return 0;
  const size = Math.abs(value);
  if (size >= 100) return 0;
  return size >= 10 ? 1 : 2;
};

export const renderValue = (value: number): string => value.toFixed(digitsOf(value));

const verdict = (row: Row): string => {
  const met = isMet(row);
  if (met === undefined || row.goal === undefined) return '';
  return `${row.goal.is} ${row.goal.value} ${met ? 'met' : 'MISSED'}`;
};

/** Rows as aligned columns, groups apart. */
export const renderTable = (rows: readonly Row[]): string => {
  const cells = rows.map((row) => [row.name, renderValue(row.value), row.unit, verdict(row), row.note ?? '']);
  const width = (column: number): number => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0));
  const lines = rows.flatMap((row, n) => {
    const [name = '', value = '', unit = '', goal = '', note = ''] = cells[n] ?? [];
    const columns = [
      name.padEnd(width(0)),
      value.padStart(width(1)),
      unit.padEnd(width(2)),
      goal.padEnd(width(3)),
      note,
    ];
    const line = `  ${columns.join('  ')}`.trimEnd();
    return row.group === rows[n - 1]?.group ? [line] : ['', row.group, line];
  });
  const judged = rows.map(isMet).filter((met) => met !== undefined);
  const met = judged.filter((each) => each).length;
  return [...lines, '', `goals: ${met} met, ${judged.length - met} missed`].join('\n');
};
