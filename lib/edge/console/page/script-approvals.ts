/**
 * What waits for a person: every field of the exact action. The buttons are there only when the
 * server gave the id. A standing yes takes two clicks: the second one stands beside what it means.
 */
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../../base/limits.ts';

export const SCRIPT_APPROVALS = `
let shownApprovals = '';

const decide = async (approval, decision, row) => {
  for (const button of row.querySelectorAll('button')) button.disabled = true;
  const answer = await attempt(() => call('POST', '/api/approvals/' + approval.id, { decision }));
  // Not taken (stopped, say): it can be tried again, and denied.
  if (answer === undefined) for (const button of row.querySelectorAll('button')) button.disabled = false;
  lookAgain();
};

const similarWords = (approval) => 'Approves this one, and lets this very action pass in ' + approval.session +
  ' ${GRANT_USES_DEFAULT} more times within ${GRANT_HOURS_DEFAULT} h without asking' +
  (approval.taintSource === undefined ? '.' : ', also when outside text asks for it (' + approval.taintSource + ').');

const similarPart = (approval, row) => {
  const allow = element('button', '', 'Allow similar');
  allow.type = 'button';
  allow.addEventListener('click', () => void decide(approval, 'allow-similar', row));
  const part = element('div', 'similar', outsideText('p', 'soft', similarWords(approval)), element('div', 'row', allow));
  part.hidden = true;
  return part;
};

const approvalBlock = (approval) => {
  const row = element('li', '', ...actionLines(approval.action),
    ...(approval.lookalikes || []).map((words) => outsideText('p', '', 'Look twice: ' + words)),
    ...(approval.asks || approval.reasons.map((reason) => ({ reason }))).map(({ gate, reason }) =>
      element('p', '', 'Asked because: ' + reason + (gate === undefined ? '' : ' (' + gate + ')'))),
    approval.requester === undefined ? null
      : outsideText('p', 'soft', 'Came from: ' + approval.requester + ' in ' + approval.session + ', ' + approval.signalId),
    approval.taintSource === undefined ? null : outsideText('p', '', 'Made from outside text: ' + approval.taintSource),
    element('p', 'soft', 'Expires at ' + clock(approval.expiresAt)));
  if (approval.id === undefined) {
    row.append(element('p', 'soft', 'Deciding needs the token of an approver.'));
    return row;
  }
  const approve = element('button', 'primary', 'Approve');
  const deny = element('button', 'danger', 'Deny');
  approve.type = deny.type = 'button';
  approve.addEventListener('click', () => void decide(approval, 'approve', row));
  deny.addEventListener('click', () => void decide(approval, 'deny', row));
  const part = similarPart(approval, row);
  const similar = element('button', '', 'Allow similar…');
  similar.type = 'button';
  similar.setAttribute('aria-expanded', 'false');
  similar.addEventListener('click', () => {
    part.hidden = !part.hidden;
    similar.setAttribute('aria-expanded', String(!part.hidden));
  });
  row.append(element('div', 'row', approve, similar, deny), part);
  return row;
};

const showApprovals = (answer) => {
  role = answer.role;
  const key = JSON.stringify(answer);
  if (key === shownApprovals) return;
  shownApprovals = key;
  byId('no-approvals').hidden = answer.approvals.length > 0;
  fill(byId('approvals'), answer.approvals.map(approvalBlock));
};
`;
