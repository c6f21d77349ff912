/**
 * The page's skeleton: landmarks, labels and empty places that the script fills. Works with a
 * keyboard and a screen reader.
 */
export const MARKUP = `<header class="top">
  <h1><span class="key" aria-hidden="true"></span><span id="assistant">Passepartout</span></h1>
  <p class="badge unknown" id="status" role="status">asking…</p>
  <div class="switches">
    <button type="button" class="danger" id="stop" hidden>Stop</button>
    <button type="button" id="resume" hidden>Resume</button>
  </div>
</header>
<main>
  <form class="card" id="door" hidden>
    <h2>Sign in</h2>
    <p>The token is in the address that <code>npm start</code> prints. It stays in this tab and is sent only to this
      server. A script's token that may read shows everything, and can change nothing here.</p>
    <label for="token">Approver's token</label>
    <div class="row">
      <input id="token" type="password" autocomplete="off" spellcheck="false" required>
      <button type="submit" class="primary">Sign in</button>
    </div>
  </form>
  <p class="problem" id="problem" role="alert" hidden></p>
  <div class="columns" id="desk">
    <div>
      <section class="card talk" aria-labelledby="talk-title">
        <h2 id="talk-title">Talk</h2>
        <ol class="turns" id="turns" aria-live="polite"></ol>
        <p class="empty" id="no-turns">Say hello. What the model wants to do is checked by fixed rules before it happens.</p>
        <form id="say" hidden>
          <label for="text" class="unseen">Message</label>
          <textarea id="text" rows="2" placeholder="Write a message, or /help" required></textarea>
          <div class="row end">
            <span class="hint">Enter sends, Shift + Enter makes a new line</span>
            <button type="submit" class="primary">Send</button>
          </div>
        </form>
      </section>
      <section class="card" aria-labelledby="approvals-title">
        <h2 id="approvals-title">Waiting for approval</h2>
        <ul class="approvals" id="approvals"></ul>
        <p class="empty" id="no-approvals">Nothing waits for a person.</p>
      </section>
      <section class="card" id="stopped-card" aria-labelledby="stopped-title" hidden>
        <h2 id="stopped-title">Stopped conversations</h2>
        <ul class="approvals" id="stopped"></ul>
      </section>
      <section class="card" aria-labelledby="grants-title">
        <h2 id="grants-title">Allowed without asking</h2>
        <ul class="grants" id="grants"></ul>
        <p class="empty" id="no-grants">Nothing beyond single approvals.</p>
      </section>
    </div>
    <div>
      <section class="card" aria-labelledby="health-title">
        <h2 id="health-title">What runs</h2>
        <ul class="reasons" id="reasons"></ul>
        <dl class="facts" id="facts"></dl>
        <details class="howto">
          <summary>Other ways to talk to it</summary>
          <p>In a terminal: <code>npx passepartout chat</code>, <code>send "…"</code>, <code>why &lt;signal&gt;</code>,
            <code>approvals</code>, <code>doctor</code>.</p>
          <p>From a script: <code>POST /api/messages</code> with <code>{"text": "…"}</code> and a token of <code>API_TOKENS</code>
            as <code>Authorization: Bearer …</code>, then <code>GET /api/signals/&lt;id&gt;</code>.</p>
          <p>From Telegram: <code>npx passepartout pair</code> gives a code; send the bot <code>/pair</code> and the code.</p>
        </details>
      </section>
      <section class="card" aria-labelledby="decisions-title">
        <h2 id="decisions-title">Last decisions</h2>
        <ul class="decisions" id="decisions"></ul>
        <p class="empty" id="no-decisions">None yet.</p>
      </section>
    </div>
  </div>
</main>`;
