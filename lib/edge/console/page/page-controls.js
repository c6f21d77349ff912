/**
 * The controls of the page: health, approvals, grants, stopped conversations. At the end
 * the wiring: the page asks the server again and again while a person looks at it, faster while a
 * turn is running.
 */

import {
  attempt,
  buttonOf,
  byId,
  call,
  caller,
  clock,
  element,
  fieldOf,
  fill,
  messageOf,
  outsideText,
  SETTINGS,
  showDoor,
  showProblem,
  TOKEN,
  takeTokenFromUrl,
  visible,
} from './page-basics.js';
import { loadRoots, say, showDecisions, showTalk } from './page-turns.js';

/** @typedef {import('../views.ts').Health} Health */
/** @typedef {import('../../../wings/approvals/operations.ts').ShownApproval} ShownApproval */
/** @typedef {import('../../../wings/approvals/operations.ts').ShownGrant} ShownGrant */
/** @typedef {import('../views.ts').StoppedSessionView} StoppedSessionView */

const BUSY_MS = 900;
const QUIET_MS = 3000;
const HEALTH_MS = 9000;
/** A change may take a moment to show. */
const CHANGE_MS = 1500;

/** @param {string} name @param {string} value */
const factRow = (name, value) => [element('dt', '', name), element('dd', '', value)];

/** @param {number | null} seconds */
const describeHeartbeat = (seconds) => {
  if (seconds === null) return 'none yet';
  return seconds < 90 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
};

/** @param {string} word */
const showStatus = (word) => {
  const status = byId('status');
  status.className = `badge ${word}`;
  status.textContent = word;
};

/** @param {Health | Pick<Health, 'status'>} health without a token it is the status alone */
const showHealth = (health) => {
  showStatus(health.status);
  if (!('checks' in health)) return;
  const { assistant, reasons, checks } = health;
  byId('assistant').textContent = visible(assistant);
  fill(
    byId('reasons'),
    reasons.map((reason) => element('li', '', reason)),
  );
  fill(byId('facts'), [
    ...factRow('Models', checks.models.join(', ') || 'none'),
    ...factRow('Telegram', checks.telegram),
    ...factRow('Store', checks.table),
    ...factRow('Heartbeat', describeHeartbeat(checks.heartbeatAgeSeconds)),
    ...factRow('Kill switch', checks.isStopped ? 'on: nothing is done' : 'off'),
    ...factRow('This token', caller.role === 'approver' ? 'approver' : 'of a script: nothing can be changed here'),
  ]);
  byId('resume').hidden = !(checks.isStopped && caller.role === 'approver');
};

const refreshHealth = async () => {
  try {
    showHealth(await call('GET', '/health'));
  } catch {
    showStatus('offline');
  }
};

let shownApprovals = '';

/**
 * @param {string} id @param {'approve' | 'deny' | 'allow-similar'} decision @param {HTMLElement}
 * row
 */
const decide = async (id, decision, row) => {
  // The buttons go: the keyboard goes on from the list.
  byId('approvals').focus();
  for (const button of row.querySelectorAll('button')) button.disabled = true;
  const answer = await attempt(() => call('POST', `/api/approvals/${id}`, { decision }));
  // It was not taken, because the agent is stopped for example: it can be tried again, and denied.
  if (answer === undefined) for (const button of row.querySelectorAll('button')) button.disabled = false;
  lookAgain();
};

/** @param {ShownApproval} approval */
const describeSimilar = ({ session, taintSource }) => {
  const { grantUses, grantHours } = SETTINGS;
  const outside = taintSource === undefined ? '' : `, also when outside text asks for it (${taintSource})`;
  return `Approves this one, and lets this very action pass in ${session} ${grantUses} more times within ${grantHours} h without asking${outside}.`;
};

/**
 * A grant takes two clicks: the second button stands beside what it means. @param {ShownApproval}
 * approval @param {string} id @param {HTMLElement} row
 */
const decisionButtons = (approval, id, row) => {
  const allow = buttonOf('Allow similar', '', () => void decide(id, 'allow-similar', row));
  const part = element(
    'div',
    'similar',
    outsideText('p', 'soft', describeSimilar(approval)),
    element('div', 'row', allow),
  );
  part.hidden = true;
  const similar = buttonOf('Allow similar…', '', () => {
    part.hidden = !part.hidden;
    similar.setAttribute('aria-expanded', String(!part.hidden));
  });
  similar.setAttribute('aria-expanded', 'false');
  const approve = buttonOf('Approve', 'primary', () => void decide(id, 'approve', row));
  const deny = buttonOf('Deny', 'danger', () => void decide(id, 'deny', row));
  const similars = approval.similarProblem === '' ? [similar] : [];
  return [element('div', 'row', approve, ...similars, deny), part];
};

/** A line that somebody else may have written in part. @param {string} line */
const lineOf = (line) => outsideText('p', '', line);

/**
 * The sentence, what is unusual, and behind one tap every field of the exact action. Only an
 * approver gets the id, and so the buttons. @param {ShownApproval} approval
 */
const approvalBlock = (approval) => {
  const { id, sentence, unusual, rest, expiresAt } = approval;
  const row = element(
    'li',
    '',
    outsideText('p', 'sentence', sentence),
    ...unusual.map(lineOf),
    element('p', 'soft', `Waits for your yes until ${clock(expiresAt)}`),
    element('details', 'rest', element('summary', '', 'All of it'), ...rest.map(lineOf)),
  );
  if (id === undefined) row.append(element('p', 'soft', 'Deciding needs the token of an approver.'));
  else row.append(...decisionButtons(approval, id, row));
  return row;
};

/** @param {{ approvals: readonly ShownApproval[], role: 'approver' | 'script' }} answer */
const showApprovals = (answer) => {
  caller.role = answer.role;
  const key = JSON.stringify(answer);
  if (key === shownApprovals) return;
  shownApprovals = key;
  const count = answer.approvals.length;
  byId('approvals-card').hidden = count === 0;
  // A tab that is not looked at says so too.
  document.title = count === 0 ? 'Passepartout' : `(${count}) Passepartout`;
  const list = byId('approvals');
  // What had the focus goes away: the keyboard goes on from the list, or from the message.
  if (list.contains(document.activeElement)) (count === 0 ? byId('text') : list).focus();
  fill(list, answer.approvals.map(approvalBlock));
};

/** @type {Readonly<Record<StoppedSessionView['because'], string>>} */
const CAUSES = {
  asked: 'somebody there asked for it',
  blocks: 'too many of its actions were blocked within an hour',
  approvals: 'it asked for one more approval than people can look through',
};
let controlsAt = 0;
let shownControls = '';

const lookAgain = () => {
  controlsAt = 0;
  refreshSoon();
};

/**
 * Nothing for a script's token. @param {string} label @param {string} className @param {string}
 * path @param {object} [body]
 */
const controlButton = (label, className, path, body) => {
  if (caller.role !== 'approver') return null;
  const button = buttonOf(label, className, () => {
    button.disabled = true;
    void attempt(() => call('POST', path, body)).then(() => {
      lookAgain();
      window.setTimeout(lookAgain, CHANGE_MS);
    });
  });
  return element('div', 'row', button);
};

/** @param {ShownGrant} grant */
const grantBlock = (grant) =>
  element(
    'li',
    '',
    outsideText('p', '', grant.description),
    controlButton('Revoke', 'danger', '/api/revoke', { grant: grant.id }),
  );

/** @param {StoppedSessionView} stopped */
const stoppedBlock = ({ session, because, stoppedAt, signalId }) =>
  element(
    'li',
    '',
    element('p', '', element('strong', '', session), ` · stopped at ${clock(stoppedAt)}`),
    element('p', 'soft', `Because ${CAUSES[because]}. What was still to be done there is refused.`),
    element('p', 'soft mono', signalId),
    controlButton('Resume', 'primary', '/api/resume', { session }) ||
      element('p', 'soft', 'Resuming needs the token of an approver.'),
  );

const refreshControls = async () => {
  if (Date.now() - controlsAt < HEALTH_MS) return;
  controlsAt = Date.now();
  /** @type {{ grants: readonly ShownGrant[] }} */
  const { grants } = await call('GET', '/api/grants');
  /** @type {{ sessions: readonly StoppedSessionView[] }} */
  const { sessions } = await call('GET', '/api/stopped');
  const key = JSON.stringify([caller.role, grants, sessions]);
  if (key === shownControls) return;
  shownControls = key;
  byId('no-grants').hidden = grants.length > 0;
  fill(byId('grants'), grants.map(grantBlock));
  byId('stopped-card').hidden = sessions.length === 0;
  fill(byId('stopped'), sessions.map(stoppedBlock));
};

let timer = 0;
let healthAt = 0;
let isRefreshing = false;

/** @returns {Promise<boolean>} whether a turn is running */
const refresh = async () => {
  const hasToken = Boolean(sessionStorage.getItem(TOKEN));
  if (hasToken) showApprovals(await call('GET', '/api/approvals'));
  if (Date.now() - healthAt >= HEALTH_MS) {
    healthAt = Date.now();
    await refreshHealth();
  }
  if (!hasToken) {
    showDoor(true);
    return false;
  }
  await refreshControls();
  const roots = await loadRoots();
  showDoor(false);
  showDecisions(roots);
  return showTalk(roots);
};

const tick = async () => {
  window.clearTimeout(timer);
  if (document.hidden) return;
  if (isRefreshing) {
    timer = window.setTimeout(tick, 200);
    return;
  }
  isRefreshing = true;
  let isBusy = false;
  const problem = byId('problem');
  try {
    isBusy = await refresh();
    if (problem.dataset.from === 'tick') {
      showProblem('');
      problem.dataset.from = '';
    }
  } catch (error) {
    const isOffline = error instanceof TypeError;
    if (isOffline) showStatus('offline');
    showProblem(isOffline ? 'The server cannot be reached; trying again.' : messageOf(error));
    problem.dataset.from = 'tick';
  }
  isRefreshing = false;
  timer = window.setTimeout(tick, isBusy ? BUSY_MS : QUIET_MS);
};

export const refreshSoon = () => {
  window.clearTimeout(timer);
  timer = window.setTimeout(tick, 50);
};

const refreshHealthSoon = () => {
  healthAt = 0;
  refreshSoon();
};

/** @param {string} path */
const flipSwitch = async (path) => {
  await attempt(() => call('POST', path));
  refreshHealthSoon();
  window.setTimeout(refreshHealthSoon, CHANGE_MS);
};

byId('door').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, fieldOf('token').value.trim());
  fieldOf('token').value = '';
  showProblem('');
  refreshHealthSoon();
});
byId('say').addEventListener('submit', (event) => {
  event.preventDefault();
  void say();
});
byId('text').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    void say();
  }
});
byId('stop').addEventListener('click', () => void flipSwitch('/api/stop'));
byId('resume').addEventListener('click', () => void flipSwitch('/api/resume'));
document.addEventListener('visibilitychange', refreshSoon);

// The keyboard scrolls it.
byId('turns').tabIndex = 0;
takeTokenFromUrl();
void tick();
