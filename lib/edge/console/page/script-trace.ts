/** One signal in full: attempts, what every gate said about every action, and the effects. */
export const SCRIPT_TRACE = `
const traceLine = (entry) =>
  element('li', '', badge(entry.verdict), element('span', '', entry.gate, entry.reason ? element('span', 'soft', ' – ' + entry.reason) : null));

const traceList = (trace) => {
  const told = trace.filter((entry) => entry.verdict !== 'pass' || entry.reason);
  const bare = trace.filter((entry) => entry.verdict === 'pass' && !entry.reason);
  const list = element('ul', 'trace', ...told.map(traceLine));
  if (bare.length === 0) return list;
  const passes = element('details', 'passes', element('summary', '', bare.length + ' of ' + trace.length + ' gates passed'),
    element('ul', 'trace', ...bare.map(traceLine)));
  return element('div', '', list, passes);
};

const actionLines = (action) => {
  const title = (action.tool || 'message') + ' to ' + action.target + (action.to ? ' (' + action.to + ')' : '');
  const details = [
    action.text === undefined ? null : outsideText('pre', '', action.text),
    action.args === undefined ? null : outsideText('pre', '', JSON.stringify(action.args, null, 2)),
    action.url === undefined ? null : element('p', 'mono', action.url),
    action.author === 'code'
      ? null
      : outsideText('p', 'soft', (action.author === 'model' ? 'Why, says the model: ' : 'Why: ') + action.explanation),
  ];
  return [element('p', '', element('strong', '', title)), ...details];
};

const proposalLines = (proposal) => proposal === null ? [] : [
  proposal.text === undefined ? null : outsideText('pre', '', proposal.text),
  ...proposal.calls.map((wanted) => outsideText('pre', '', wanted.tool + ' ' + JSON.stringify(wanted.args, null, 2))),
];

const attemptBlock = (made) => element('div', '',
  element('h3', '', 'Attempt ' + made.n + ' · ' + made.provider + ' ' + made.model +
    (made.outputTokens === undefined ? '' : ' · ' + (made.inputTokens || 0) + ' + ' + made.outputTokens + ' tokens')),
  made.problem ? element('p', 'problem', made.problem) : null,
  ...proposalLines(made.proposal),
  traceList(made.trace));

const actionBlock = (item) => element('div', '',
  element('h3', '', 'Action ' + item.n), ...actionLines(item.action), traceList(item.trace));

const effectLine = (effect) => element('div', '',
  element('p', 'effect', badge(effect.state, effect.state === 'unknown' ? 'effect-unknown' : ''),
    'Effect ' + effect.n + ' · ' + effect.actuator, effect.reason ? element('span', 'soft', effect.reason) : null),
  effect.output ? outsideText('pre', '', effect.output) : null,
  effect.trace.length > 0 ? traceList(effect.trace) : null);

const attemptsOf = (view) => (view.decision ? view.decision.attempts : view.attempts || []);

const signalBlock = (view) => element('div', 'inside',
  element('p', 'soft mono', view.id + ' · ' + view.session),
  ...view.text.map((piece) => outsideText('pre', '', (piece.origin === 'owner' ? '' : '[' + piece.origin + (piece.label ? ', ' + piece.label : '') + '] ') + piece.text)),
  view.stateReason ? element('p', '', view.stateReason) : null,
  view.decision && view.decision.reason ? element('p', '', element('strong', '', 'Refused: '), view.decision.reason) : null,
  ...attemptsOf(view).map(attemptBlock),
  ...(view.decision ? view.decision.actions.map(actionBlock) : []),
  view.effects.length > 0 ? element('h3', '', 'Effects') : null,
  ...view.effects.map(effectLine),
  ...view.children.map(childBlock));

const childBlock = (id) => {
  const details = element('details', '', element('summary', '', 'then ' + id));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1)
      void attempt(async () => details.append(signalBlock(await call('GET', '/api/signals/' + id))));
  });
  return details;
};
`;
