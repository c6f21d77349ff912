/** What waits for a person: every field of the exact action. The buttons are there only when the server gave the id. */
export const SCRIPT_APPROVALS = `
let shownApprovals = '';

const decide = async (approval, decision, row) => {
  for (const button of row.querySelectorAll('button')) button.disabled = true;
  await attempt(() => call('POST', '/api/approvals/' + approval.id, { decision }));
  refreshSoon();
};

const approvalBlock = (approval) => {
  const row = element('li', '', ...actionLines(approval.action),
    ...approval.reasons.map((reason) => element('p', '', 'Asked because: ' + reason)),
    element('p', 'soft', 'Expires at ' + clock(approval.expiresAt)));
  if (approval.id === undefined) {
    row.append(element('p', 'soft', 'Deciding needs the approver token.'));
    return row;
  }
  const approve = element('button', 'primary', 'Approve');
  const deny = element('button', 'danger', 'Deny');
  approve.type = deny.type = 'button';
  approve.addEventListener('click', () => void decide(approval, 'approve', row));
  deny.addEventListener('click', () => void decide(approval, 'deny', row));
  row.append(element('div', 'row', approve, deny));
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
