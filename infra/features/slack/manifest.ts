/**
 * The manifest from which Slack makes the app: what it may do, and nothing else. It reads direct
 * messages and messages that name it. https://docs.slack.dev/reference/app-manifest. Pure.
 */

const SCOPES: readonly string[] = [
  ...['app_mentions:read', 'chat:write', 'files:read', 'files:write'],
  ...['im:history', 'im:write', 'reactions:read'],
];
const EVENTS: readonly string[] = ['app_home_opened', 'app_mention', 'message.im', 'reaction_added'];

/** @param url of the stack's door; without one the app uses Socket Mode */
export const buildManifest = (url?: string) => {
  const request = url === undefined ? {} : { request_url: url };
  return {
    display_information: { name: 'Passepartout', description: 'An agent that asks before it acts' },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'Passepartout', always_online: true },
    },
    oauth_config: { scopes: { bot: SCOPES } },
    settings: {
      event_subscriptions: { ...request, bot_events: EVENTS },
      interactivity: { is_enabled: true, ...request },
      org_deploy_enabled: false,
      socket_mode_enabled: url === undefined,
      token_rotation_enabled: false,
    },
  };
};
