/** One line on how a login stands, for people. Pure. */
import { utcMinute } from '../../core/base/utc-minute.ts';
import { quoted } from '../../core/text/quoted.ts';
import type { Login } from './login-record.ts';

const held = ({ issuer = '', scope, until }: Login): string => {
  const by = scope ? `Logged in by ${quoted(issuer)} for ${quoted(scope)}` : `Logged in by ${quoted(issuer)}`;
  return until === undefined ? `${by}.` : `${by}; renewed after ${utcMinute(until)}.`;
};

/** With the command that mends it. */
export const loginLine = (server: string, login: Login | undefined): string => {
  switch (login?.state) {
    case 'active':
      return held(login);
    case 'ended':
      return `Its login has ended. In a terminal: npx passepartout mcp login ${server}`;
    case 'out':
      return `Logged out. In a terminal: npx passepartout mcp login ${server}`;
    default:
      return `It wants a login. In a terminal: npx passepartout mcp login ${server}`;
  }
};
