/**
 * The newest signals that started a turn, one line each; opening one shows its trace, kept fresh
 * while it changes.
 */
export const SCRIPT_DECISIONS = `
const rows = new Map();

const loadInside = (row) => attempt(async () => {
  const view = await call('GET', '/api/signals/' + row.id);
  row.shownState = view.state;
  fill(row.inside, [signalBlock(view)]);
});

const buildRow = (signal) => {
  const row = { id: signal.id, inside: element('div', ''), state: element('span', ''), shownState: '' };
  row.details = element('details', '', element('summary', '', row.state, outsideText('span', 'what', signal.text),
    element('span', 'soft', clock(signal.receivedAt))), row.inside);
  row.item = element('li', '', row.details);
  row.details.addEventListener('toggle', () => { if (row.details.open) void loadInside(row); });
  return row;
};

const showDecisions = (signals) => {
  const roots = signals.filter((signal) => signal.id === signal.root).slice(0, 20);
  byId('no-decisions').hidden = roots.length > 0;
  const kept = roots.map((signal) => {
    const row = rows.get(signal.id) || buildRow(signal);
    rows.set(signal.id, row);
    row.state.className = 'badge ' + signal.state;
    row.state.textContent = signal.state;
    if (row.details.open && row.shownState !== signal.state) void loadInside(row);
    return row;
  });
  const list = byId('decisions');
  const wanted = kept.map((row) => row.item);
  if (wanted.length !== list.children.length || wanted.some((item, index) => list.children[index] !== item)) fill(list, wanted);
  for (const id of rows.keys()) if (!roots.some((signal) => signal.id === id)) rows.delete(id);
};
`;
