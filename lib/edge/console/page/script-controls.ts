/**
 * What people hold in their hands beside single approvals: standing yeses, and conversations that
 * flood control stopped.
 */
export const SCRIPT_CONTROLS = `
const CAUSES = {
  asked: 'somebody there asked for it',
  blocks: 'too many of its actions were blocked within an hour',
  approvals: 'it asked for one more approval than people can look through',
};
let controlsAt = 0;
let shownControls = '';

const lookAgain = () => { controlsAt = 0; refreshSoon(); };

const controlButton = (label, className, path, body) => {
  if (role !== 'approver') return null;
  const button = element('button', className, label);
  button.type = 'button';
  button.addEventListener('click', () => {
    button.disabled = true;
    void attempt(() => call('POST', path, body)).then(() => { lookAgain(); setTimeout(lookAgain, 1500); });
  });
  return element('div', 'row', button);
};

const grantBlock = (grant) => element('li', '', outsideText('p', '', grant.description),
  controlButton('Revoke', 'danger', '/api/grants/' + grant.id + '/revoke'));

const stoppedBlock = (stopped) => element('li', '',
  element('p', '', element('strong', '', stopped.session), ' · stopped at ' + clock(stopped.stoppedAt)),
  element('p', 'soft', 'Because ' + CAUSES[stopped.because] + '. What was still to be done there is refused.'),
  element('p', 'soft mono', stopped.signalId),
  controlButton('Resume', 'primary', '/api/resume', { session: stopped.session }) || element('p', 'soft', 'Resuming needs the token of an approver.'));

const showControls = (grants, sessions) => {
  const key = JSON.stringify([role, grants, sessions]);
  if (key === shownControls) return;
  shownControls = key;
  byId('no-grants').hidden = grants.length > 0;
  fill(byId('grants'), grants.map(grantBlock));
  byId('stopped-card').hidden = sessions.length === 0;
  fill(byId('stopped'), sessions.map(stoppedBlock));
};

const refreshControls = async () => {
  if (Date.now() - controlsAt < HEALTH_MS) return;
  controlsAt = Date.now();
  const { grants } = await call('GET', '/api/grants');
  const { sessions } = await call('GET', '/api/stopped');
  showControls(grants, sessions);
};
`;
