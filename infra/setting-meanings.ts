/** The meaning of each setting, apart from the catalogue, which every function loads. */
import type { SettingName } from '../lib/core/store/settings.ts';

export const SETTING_MEANINGS: Readonly<Record<SettingName, string>> = {
  PORT: 'port the local stack listens on; 0 takes any free one',
  HOST: 'address the local stack listens on; loopback only',
  DATA_DIR: 'folder with everything the local stack keeps (mode 0700)',
  SKILLS_DIR:
    'folder of [skill folders](../lib/features/skills/writing.md) that is looked at each minute: a new or changed one is offered on a card in the home chat, and is in force only after a yes',
  AWS_ENDPOINT_URL_DYNAMODB: 'another DynamoDB-compatible server than the embedded one',
  WIRE: 'how functions reach the embedded table and queues: within the process (`direct`), or by `http` as in the cloud',
  HEARTBEAT_INTERVAL_SECONDS: 'seconds between two heartbeats; a minute in the cloud',
  SPACE: 'whose agent this is',
  LOG_LEVEL: '`debug`, `info`, `warn` or `error`',
  APPROVER_TOKEN:
    'your token for the page, the command line and everything else, generated if it is not set; ' +
    'give it to no script',
  API_TOKENS:
    'JSON: a token for each script, name → {"token", "scopes"}; 16 characters or more ' +
    '([HTTP](../lib/core/edge/README.md))',
  MEMEX_ASSISTANT: 'name of the agent, unless `/identity` says another',
  MEMEX_USER: 'your name, unless `/identity` says another',
  TIME_ZONE: 'your zone, such as `Europe/Lisbon`; on your machine that of its clock',
  HOME_CHAT:
    'id of the chat that gets texts nobody asked for. These and the texts of jobs are at most 12 an hour in all chats together, 8 of one source, and as many cards',
  DEFAULT_ACTUATOR: 'who gets those texts without a home chat: `console` or `system` (the record only)',
  SILENT_ACTUATORS: 'actuators whose results the model does not get',
  OPENAI_BASE_URL: 'any endpoint compatible with OpenAI, in the place of OpenAI',
  OPENAI_MODEL: 'model of that endpoint, or of the first provider of the cascade',
  OPENAI_API_KEY: 'key of OpenAI, or of that endpoint',
  OPENROUTER_API_KEY: 'key of OpenRouter; the provider is used if it is set',
  ANTHROPIC_API_KEY: 'the same for Anthropic',
  GROQ_API_KEY: 'the same for Groq',
  GEMINI_API_KEY: 'the same for Gemini',
  OLLAMA_HOST: 'where the Ollama of this machine listens, as Ollama itself reads it; without any key it is found there',
  OLLAMA_BASE_URL: 'address of an Ollama; without any key, one on its default port is found',
  OLLAMA_MODEL: 'model of that Ollama',
  OLLAMA_CONTEXT_LENGTH: 'tokens that model takes',
  PROVIDER_CASCADE:
    'order of the providers, such as `anthropic,openai:gpt-6-luna,ollama`; `name:small\\|large` ' +
    'names a model for each tier; otherwise all that have a key',
  PROVIDERS:
    'JSON: further OpenAI-compatible endpoints, asked first: name → ' +
    '{"baseUrl","model","reasoningModel"?,"contextTokens"?,"tools"?,"images"? (its models are shown pictures),"thinking"? ("responses" or ' +
    '"reasoning_effort": how the large tier asks for it),"extraBody"? (further fields of each request),"prices"?: ' +
    '{"prompt","cached"?,"completion"} in US dollars for a million tokens}',
  PROVIDER_KEYS: 'JSON: name → key, for those of `PROVIDERS` that need one',
  PROVIDER_NAMES: 'the providers, as `/health` and `/model` show them',
  MODEL_RULES: 'JSON: your own table which model is asked ([models](../lib/core/llm/README.md))',
  CONSENSUS_PROVIDERS: '2 or 3: so many providers are asked before anything of high impact is taken',
  EMBEDDING_MODEL:
    'model that makes vectors of your notes; Reason asks it too if a provider of the cascade has ' +
    'the same address or it needs no key',
  EMBEDDING_BASE_URL: 'its OpenAI-compatible endpoint, if it is not `OPENAI_BASE_URL`',
  EMBEDDING_PRICE:
    'its price in US dollars for a million tokens, if no list says it; an unknown price counts as ' +
    'the most expensive model',
  EMBEDDING_API_KEY: 'its key; on your machine `OPENAI_API_KEY` serves the same address',
  TRANSCRIPTION_MODEL:
    'model that writes down voice messages, such as `gpt-transcribe`; without it none is heard. Its minutes are paid ' +
    'from your caps',
  TRANSCRIPTION_BASE_URL: 'its OpenAI-compatible endpoint, if it is not `OPENAI_BASE_URL`',
  TRANSCRIPTION_PRICE:
    'its price in US dollars for a minute, if no list says it; an unknown price counts as the most expensive one',
  TRANSCRIPTION_API_KEY: 'its key; on your machine the key of the provider at the same address serves',
  SPEECH_MODEL:
    'model that says answers aloud after `/voice on`, such as `gpt-4o-mini-tts`, at the address and with the key of ' +
    'recordings; it must give Ogg Opus',
  SPEECH_PRICE:
    'its price in US dollars for a million characters, if no list says it; an unknown price counts as the most expensive one',
  SPEECH_VOICE: 'its voice',
  SEARCH:
    'service that searches the web: `brave`, `tavily`, `kagi`, or the address of a SearXNG such as `https://host/`; ' +
    'without it nothing is searched. Each search is paid from your caps',
  SEARCH_API_KEY: 'its key; a SearXNG needs none',
  AT_WORK_SECONDS: 'how long a chat waits until it is told “Still at work on this.”; 0 for never',
  STREAMING: '`off` shows answers only when they are whole',
  PRIVACY_FILTER_TAGS:
    'tags beside `personal`, such as `medical,family`: notes with them, and all below, are never ' +
    'shown to the model; texts so marked never leave',
  MANDATORY_SKILLS:
    'skills, such as `notes,house-rules`, without which a local stack does not start; nobody ' +
    'switches them off or removes them',
  MAINTENANCE: '`off` makes no jobs of built-in skills by itself; `/skill on <name>` still does',
  MEMORY_AUTO_SAVE_MINUTES: 'how long a change of memory is in no snapshot of the skill `auto-save`',
  CONTEXT_SEMANTIC_THRESHOLD:
    'how close to your words, from above 0 to 1, a note must be to be shown in full, and a note ' +
    'from outside at all',
  REASON_MEMORY_MB: 'memory of the function that asks the model, 320 if it is not set: more for very large memories',
  SLACK_BOT_TOKEN: 'the app in your workspace (`npx passepartout connect-slack`)',
  SLACK_SIGNING_SECRET: 'by which the payloads of Slack are known',
  SLACK_APP_TOKEN: 'opens the socket over which payloads come to your machine',
  SLACK_STATE: '`events` in the cloud, if Slack is used; on your machine it follows from the others',
  SLACK_PUBLIC_URL: 'public base address, if payloads are to come there and not over the socket',
  SLACK_API_ROOT: 'another server of Slack’s API',
  TELEGRAM_BOT_TOKEN: 'your bot',
  TELEGRAM_BOT_ID: 'the digits before ":" in the bot token',
  TELEGRAM_BOT_USERNAME: 'name of your bot, if it is to be another than the one that it learns from Telegram',
  TELEGRAM_STATE: '`off`, `polling` or `webhook`',
  TELEGRAM_MODE: '`polling`, `webhook`, or `auto`: webhook if there is a public address',
  TELEGRAM_WEBHOOK_URL: 'public base address; the webhook is registered by itself, with one connection',
  TELEGRAM_WEBHOOK_SECRET: 'secret header of the webhook, generated if it is not set',
  TELEGRAM_API_ROOT: 'another Bot API server',
  TELEGRAM_ALLOWED_CHATS: 'ids of chats that are served, besides paired ones',
  TELEGRAM_APPROVERS: 'ids of users who may approve in groups; without it, whoever has a paired private chat',
  SIGNAL_URL:
    'address of the daemon of signal-cli, such as `http://127.0.0.1:8080` ([Signal](../lib/features/signal/README.md))',
  SIGNAL_STATE: '`off` or `events`',
  SIGNAL_DOOR_SECRET: 'word by which the program of this machine hands events over; another one at each start',
  SIGNAL_ALLOWED_CHATS: 'ids of chats that are served, besides paired ones',
  SIGNAL_APPROVERS: 'ids of people who may approve in groups; without it, whoever has a paired private chat',
  MAIL_ADDRESS: 'address of the mailbox that is the agent’s own ([e-mail](../lib/features/mail/README.md))',
  MAIL_IMAP:
    '`imaps://host` of that mailbox, or `imap://host` with STARTTLS; `user@` before the host if the user is not the address',
  MAIL_SMTP: '`smtps://host` of the way out, or `smtp://host` with STARTTLS, with a user likewise',
  MAIL_PASSWORD: 'the password of both, or one for programs',
  MAIL_AUTHSERV_ID:
    'name of your provider as it begins each `Authentication-Results`: its word on senders counts; without it every mail is words of others',
  MAIL_SERVED: 'addresses that are served, besides paired ones',
  MAIL_POLL_SECONDS: 'pause between two looks into the mailbox',
  MAIL_STATE: '`off` or `polling`',
  MAIL_DOOR_SECRET: 'by it the program beside the mailbox is known to the stack; it follows from the password',
  RELEASE_URL:
    'address that names the newest release, looked at once a day ([upgrade](operating.md#upgrade)); without it nothing is looked up',
  ANCHOR_CHAT:
    'chat that gets the newest signed checkpoint of the evidence log, at most one an hour: a copy ' +
    'outside the table (it must have written to the bot once)',
  ANCHOR_DIR: 'folder of anchors, on a machine',
  ANCHOR_BUCKET: 'bucket of anchors',
  CONTENT_DIR: 'folder of pictures and documents that people sent, on a machine; 30 days. Files of skills stay',
  CONTENT_BUCKET: 'bucket of these files',
  PROVIDER_VAULT_FILE: 'file with the keys of providers that were added while it runs, on a machine',
  PROVIDER_VAULT: 'secret with these keys',
  DOCUMENT_FUNCTION: 'the function that reads PDF and office files',
  CONSOLE_FUNCTION: 'the function that answers the requests of doors for programs',
  OPENAI_DOOR:
    '`on`: programs speak with this agent as with a model of OpenAI, at `/v1` ([OpenAI-compatible API](../lib/features/responses/README.md))',
  MCP_DOOR:
    '`on`: programs use this agent by the Model Context Protocol, at `/mcp` ([MCP server](../lib/features/door/README.md))',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'address of a collector of OpenTelemetry (OTLP/HTTP), such as `http://127.0.0.1:4318`: it gets the ' +
    '[traces](../lib/features/traces/README.md) of ended turns at `/v1/traces`',
  OTEL_EXPORTER_OTLP_HEADERS: 'headers that it wants, such as a key: `name=value,name=value`, values percent-encoded',
  TRACES_CONTENT: '`on`: words, arguments and outputs go along, without secrets and private texts',
  WITNESSES:
    'JSON: key of a [witness](../lib/features/witnesses/README.md) → its address; each cosigns the checkpoints of the ' +
    'evidence log',
  LOG_SIGNING_KEY: 'key that signs the evidence log, any text of 20 characters or more; generated if it is not set',
  LOG_SIGNING_KEY_PREVIOUS: 'the key before it',
  RUNNER_SIGNING_KEY:
    'key that signs the jobs of your machines, any text of 20 characters or more; generated if it is not ' +
    'set. With another one each machine must be paired again',
  WEBHOOK_SECRETS:
    'JSON: source → `whsec_…`, or `{"scheme","secret"}` of [a service](webhooks.md), for `POST /webhook/<source>`',
  WEBHOOK_TARGETS:
    'JSON: name → {"url"} or {"preset"} of webhooks the agent may call, each time with your approval ([webhooks](webhooks.md#webhooks-that-the-agent-calls))',
  WEBHOOK_URLS: 'JSON: name → address, or what is not secret of an entry in `WEBHOOK_TARGETS`',
  WEBHOOK_COSTS: 'price of a call of a webhook, such as `deploy=0.25,sms=0.01`; paid from the same caps',
  ALLOW_LOOPBACK_WEBHOOKS: '`1` lets webhooks go to this machine',
  EVENTS_WITHOUT_JOB:
    'an event of a service that no job waits for: `record` it and ask once a kind what shall become of the next, or `ask` the model about each',
  EVENT_FORMS:
    'JSON: source → event → the line that such an event is shown as; `npx passepartout hooks forms` makes it of a file',
  EVENT_LINK_HOSTS:
    "hosts whose links stay tappable in texts about events, by the event's source: " +
    '`github=github.com,ci=ci.example`; one link a turn, exactly as the event has it. All other ' +
    'links in texts made from outside text are shown as code',
  SECRET_PRINTS:
    'JSON: one-way prints of all secrets, so that each function finds those of the others in texts; made at ' +
    'each start on your machine, and by `npm run --silent secret-prints` for the cloud',
  MCP_SERVERS:
    'JSON: name → {"url","token"}: the bearer token for that MCP server at that address; servers ' +
    'without one need nothing here. In place of the token {"client","secret","issuer"}: a client that you registered ' +
    'by hand with who vouches for logins there (`mcp login`)',
  BUDGET_TURN_USD: 'most US dollars for one task; 0 allows nothing that costs, here and below',
  BUDGET_SESSION_USD: 'the same in a day (UTC) for one conversation',
  BUDGET_JOB_USD: 'the same in a day for one job',
  BUDGET_DAY_USD: 'the same in a day for the space',
  BUDGET_DAY_TOKENS: 'most tokens in a day for the space',
  STACK_NAME: 'name of the stack: several agents may live in one account',
  PRODUCTION: '`yes`: the table and the logs outlive the stack',
  SHIFT: '`off`: a deploy changes all functions at once, not over ten minutes, and no alarm takes it back',
  ALARM_EMAIL: 'address that every alarm is sent to',
  URL_CONCURRENCY: 'runs at once of each function behind an open URL (below)',
  TABLE_NAME: 'the table',
  QUEUE_URL: 'the queue a stage reads',
  DLQ_URL: 'the dead-letter queue of all stages',
  PERCEIVE_QUEUE_URL: 'the queue of Perceive',
  REASON_QUEUE_URL: 'the queue of Reason',
  ACT_QUEUE_URL: 'the queue of Act',
  LOG_QUEUE_URL: 'the queue of the log',
  RUNNER_QUEUE_URLS: 'the queues of paired machines',
  RUNNER_KEY_ID: 'the generated `RUNNER_SIGNING_KEY`, in a secret of its own',
  RUNNER_ROLE_ARN: 'the role whose credentials a machine gets, for its queue alone',
  CONTROL_URL: 'address of the control function',
  CONSOLE_URL: "address of the console's page, for a link below a card",
  STACK_RUN: 'this run of a local stack that alone uses its table',
};
