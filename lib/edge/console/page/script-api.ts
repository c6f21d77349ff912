/**
 * The page's requests. The token arrives in the URL's fragment, which browsers send to nobody; it
 * is moved into this tab's session storage at once and leaves only as a Bearer header to this very
 * server, and to its control function.
 */
import { CONTROL_PATH } from '../../function-url.ts';

export const SCRIPT_API = `
const TOKEN = 'passepartout-token';
const CONTROL = document.querySelector('meta[name=control]').content;
const CONTROL_PATH = ${CONTROL_PATH};

const takeTokenFromUrl = () => {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) sessionStorage.setItem(TOKEN, given);
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
};

const showDoor = (isOpen) => {
  byId('door').hidden = !isOpen;
  byId('desk').hidden = isOpen;
  byId('stop').hidden = isOpen || role !== 'approver';
  byId('say').hidden = role !== 'approver';
};

const showProblem = (text) => {
  byId('problem').hidden = !text;
  byId('problem').textContent = text || '';
};

const call = async (method, path, body) => {
  const response = await fetch((method === 'POST' && CONTROL_PATH.test(path) ? CONTROL : '') + path, {
    method,
    cache: 'no-store',
    credentials: 'omit',
    headers: {
      authorization: 'Bearer ' + (sessionStorage.getItem(TOKEN) || ''),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  // A script's token that may not read has nothing to show here.
  if (response.status === 401 || (response.status === 403 && method === 'GET')) {
    sessionStorage.removeItem(TOKEN);
    showDoor(true);
  }
  if (!response.ok && path !== '/health') throw new Error(answer.error ? answer.error.message : 'the server answered ' + response.status);
  return answer;
};

const attempt = async (work) => {
  try {
    showProblem('');
    return await work();
  } catch (error) {
    showProblem(error instanceof TypeError ? 'The server cannot be reached.' : 'That did not work: ' + error.message);
    return undefined;
  }
};
`;
