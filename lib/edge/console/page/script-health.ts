/** What runs: the health answer as words; the resume button shows while stopped, to approvers. */
export const SCRIPT_HEALTH = `
/** Of the token: an approver's, or a script's, which only looks. */
let role = 'script';

const factRow = (name, value) => [element('dt', '', name), element('dd', '', value)];

const heartbeatWords = (seconds) =>
  seconds === null ? 'none yet' : seconds < 90 ? seconds + ' s ago' : Math.round(seconds / 60) + ' min ago';

const showHealth = (health) => {
  const status = byId('status');
  status.className = 'badge ' + health.status;
  status.textContent = health.status;
  if (!health.checks) return;
  byId('assistant').textContent = visible(health.assistant);
  fill(byId('reasons'), health.reasons.map((reason) => element('li', '', reason)));
  fill(byId('facts'), [
    ...factRow('Models', health.checks.models.join(', ') || 'none'),
    ...factRow('Telegram', health.checks.telegram),
    ...factRow('Store', health.checks.table),
    ...factRow('Heartbeat', heartbeatWords(health.checks.heartbeatAgeSeconds)),
    ...factRow('Kill switch', health.checks.isStopped ? 'on: nothing is done' : 'off'),
    ...factRow('This token', role === 'approver' ? 'approver' : 'of a script: nothing can be changed here'),
  ]);
  byId('resume').hidden = !(health.checks.isStopped && role === 'approver');
};

const refreshHealth = async () => {
  try {
    showHealth(await call('GET', '/health'));
  } catch {
    showHealth({ status: 'offline' });
  }
};
`;
