/**
 * Wiring: asks the server again and again while the page is looked at, faster while something is
 * under way.
 */
export const SCRIPT_MAIN = `
const BUSY_MS = 900;
const QUIET_MS = 3000;
const HEALTH_MS = 9000;
let timer = 0;
let healthAt = 0;
let isRefreshing = false;

const refresh = async () => {
  const hasToken = Boolean(sessionStorage.getItem(TOKEN));
  if (hasToken) showApprovals(await call('GET', '/api/approvals'));
  if (Date.now() - healthAt >= HEALTH_MS) { healthAt = Date.now(); await refreshHealth(); }
  if (!hasToken) { showDoor(true); return false; }
  await refreshControls();
  const list = await call('GET', '/api/signals?limit=60');
  showDoor(false);
  showDecisions(list.signals);
  return showTalk(list.signals);
};

const tick = async () => {
  clearTimeout(timer);
  if (document.hidden) return;
  if (isRefreshing) { timer = setTimeout(tick, 200); return; }
  isRefreshing = true;
  let isBusy = false;
  try {
    isBusy = await refresh();
    if (byId('problem').dataset.from === 'tick') { showProblem(''); byId('problem').dataset.from = ''; }
  } catch (error) {
    if (error instanceof TypeError) showHealth({ status: 'offline' });
    showProblem(error instanceof TypeError ? 'The server cannot be reached; trying again.' : error.message);
    byId('problem').dataset.from = 'tick';
  }
  isRefreshing = false;
  timer = setTimeout(tick, isBusy ? BUSY_MS : QUIET_MS);
};

const refreshSoon = () => { clearTimeout(timer); timer = setTimeout(tick, 50); };
const flip = (path) => attempt(() => call('POST', path)).then(() => { healthAt = 0; refreshSoon(); setTimeout(() => { healthAt = 0; refreshSoon(); }, 1500); });

byId('door').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, byId('token').value.trim());
  byId('token').value = '';
  healthAt = 0;
  showProblem('');
  refreshSoon();
});
byId('say').addEventListener('submit', (event) => { event.preventDefault(); void say(); });
byId('text').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) { event.preventDefault(); void say(); }
});
byId('stop').addEventListener('click', () => void flip('/api/stop'));
byId('resume').addEventListener('click', () => void flip('/api/resume'));
document.addEventListener('visibilitychange', refreshSoon);

takeTokenFromUrl();
void tick();
`;
