/**
 * Lets a reload without a connection continue the running attempt. It serves the page, its files and images,
 * and the few answers of the server with which the test opens, from copies that the page keeps while the
 * attempt runs (candidate/attempt/offline-copy.ts). Saves never pass through here: the page sends them itself.
 *
 * The browser's storage may be prepared by whoever had it before, but this file comes from the server alone.
 * So the server is asked first for everything, a copy is used only while an attempt runs, and page and files
 * only if they are those of the build that this file belongs to. It removes itself and every copy as soon as
 * the server says that the attempt has ended or that no one is signed in, or the time of the attempt is over.
 */

/** SHA-256 of the page and of each file by its address; the build writes it (web/file-integrity.ts). */
declare const __BUILD__: { page: string; files: Record<string, string> };

interface WaitingEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends WaitingEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The used part of a service worker's global object; the project's types are those of a page. */
const worker = globalThis as unknown as {
  location: Location;
  clients: { claim(): Promise<void> };
  registration: { unregister(): Promise<boolean> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WaitingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
};

/** The same names as in lib/person/offline-copies.ts. */
const COPIES = 'invigil-attempt';
const PAGE = '/quiz/assessment';
const ACCOUNT = '/api/auth/me';
const ATTEMPT = '/api/participants';
/** A connection without an answer for this long counts as none. Milliseconds. */
const NO_ANSWER_MS = 6_000;
/** How long after its time the attempt can still be opened without a connection, to see what is unsent. */
const AFTER_THE_END_MS = 600_000;
/** The headers with which a copy of the page is served: none that leads elsewhere. */
const PAGE_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
];

// A worker of an earlier build does not know the files of the page that has been loaded since.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(serverFirst(event, PAGE));
  else if (isFile(request, url) || isOpening(request, url)) {
    event.respondWith(serverFirst(event, url.pathname));
  }
});

function isFile({ method }: Request, { pathname }: URL): boolean {
  return method === 'GET' && /^\/(assets|api\/images)\//.test(pathname);
}

/** The requests with which the test opens. */
function isOpening({ method }: Request, { pathname }: URL): boolean {
  return method === 'POST'
    ? pathname === ATTEMPT
    : method === 'GET' &&
        (pathname === ACCOUNT ||
          /^\/api\/(quizzes\/[^/]+\/questions|participants\/[^/]+\/answers)$/.test(pathname));
}

async function serverFirst(event: FetchEvent, name: string): Promise<Response> {
  const answer = fetch(event.request);
  try {
    const response = await Promise.race([answer.then(requireServer), refuseLater()]);
    event.waitUntil(learnFrom(event.request, name, response));
    return response;
  } catch {
    return (await copyOf(name)) ?? answer;
  }
}

/** Refuses what a proxy answers while the server is away. */
function requireServer(answer: Response): Response {
  if ([502, 503, 504].includes(answer.status)) throw new Error('the server is away');
  return answer;
}

function refuseLater(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), NO_ANSWER_MS));
}

/** Keeps a file, and removes copies and worker once the server says that they are of no use here. */
async function learnFrom(request: Request, name: string, response: Response): Promise<void> {
  if (request.mode === 'navigate') {
    if (response.headers.has('clear-site-data')) await end();
  } else if (name === ACCOUNT) {
    if (await isOver(response.clone())) await end();
  } else if (response.ok && isFile(request, new URL(request.url))) {
    const copy = response.clone();
    if (!(await caches.has(COPIES)) || (await find(name)) !== undefined) return;
    // A full disk must not keep the page from its file.
    await (await caches.open(COPIES)).put(name, copy).catch(() => undefined);
  }
}

/**
 * Whether a response proves that no one is signed in, or that the attempt which is kept here no longer runs;
 * at the device check there is none yet. A response that is not the server's, such as that of a network that
 * asks for a sign-in first, proves nothing.
 */
async function isOver(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null) return false;
  if (response.status === 401) return 'code' in body;
  if (!response.ok || !('attempt' in body) || isRunning(body.attempt)) return false;
  return body.attempt !== null || (await find(ATTEMPT)) !== undefined;
}

const isRunning = (attempt: unknown) =>
  typeof attempt === 'object' &&
  attempt !== null &&
  Reflect.get(attempt, 'status') === 'in_progress';

async function end(): Promise<void> {
  await caches.delete(COPIES);
  await worker.registration.unregister();
}

/** A copy of the running attempt; `undefined` without one. */
async function copyOf(name: string): Promise<Response | undefined> {
  if (!(await hasRunningAttempt())) return undefined;
  const kept = await find(name);
  if (kept === undefined) return undefined;
  if (name === PAGE) return ownPage(kept);
  if (name.startsWith('/assets/')) return ownFile(name, kept);
  return aged(kept);
}

async function find(name: string): Promise<Response | undefined> {
  return (await caches.has(COPIES))
    ? caches.match(name, { cacheName: COPIES, ignoreVary: true })
    : undefined;
}

/** Whether the stored attempt is still running, by this device's clock: there is no server to ask. */
async function hasRunningAttempt(): Promise<boolean> {
  const kept = await find(ATTEMPT);
  if (kept === undefined) return false;
  const passedMs = Date.now() - Number(kept.headers.get('x-kept-at') ?? Number.NaN);
  const attempt: unknown = await kept.json();
  if (isRunning(attempt) && passedMs <= remainingMsOf(attempt) + AFTER_THE_END_MS) return true;
  await end();
  return false;
}

/** The page if it is the one of this build, but for what the server writes into each: nonce, name and language. */
async function ownPage(kept: Response): Promise<Response | undefined> {
  const text = await kept.text();
  const nonce = /<meta name="csp-nonce" content="([\w+/=]+)"/.exec(text)?.[1] ?? '__CSP_NONCE__';
  const built = text
    .replace(/<html lang="[\w-]+"(?: dir="rtl")?/, '<html lang="en"')
    .replace(
      /(?:<meta name="(?:institution|languages)" content="[^"<>]*" \/>)*(?:<link rel="modulepreload" crossorigin href="\/assets\/(?:test|candidate|portal)\.[^<>]*>)*(?=<\/head>)/,
      '',
    )
    .replaceAll(nonce, '__CSP_NONCE__');
  if ((await sha256(new TextEncoder().encode(built))) !== __BUILD__.page) return undefined;
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' });
  for (const name of PAGE_HEADERS) {
    const value = kept.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(text, { headers });
}

async function ownFile(name: string, kept: Response): Promise<Response | undefined> {
  const hash = await sha256(await kept.clone().arrayBuffer());
  return Object.hasOwn(__BUILD__.files, name) && __BUILD__.files[name] === hash ? kept : undefined;
}

async function sha256(bytes: BufferSource): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256-${btoa(String.fromCharCode(...hash))}`;
}

/** A copy with the time that has passed since. */
async function aged(kept: Response): Promise<Response> {
  const keptAt = kept.headers.get('x-kept-at');
  if (keptAt === null) return kept;
  const passedMs = Math.max(0, Date.now() - Number(keptAt));
  const body: unknown = await kept.json();
  const account = body as { attempt?: unknown } | null;
  takeTime(account?.attempt ?? body, passedMs);
  return Response.json(body, { headers: { 'x-offline-copy': 'yes' } });
}

const remainingMsOf = (attempt: unknown): number =>
  typeof attempt === 'object' && attempt !== null
    ? Number(Reflect.get(attempt, 'remainingMs') ?? Number.NaN)
    : Number.NaN;

function takeTime(attempt: unknown, passedMs: number): void {
  const left = remainingMsOf(attempt);
  if (typeof attempt !== 'object' || attempt === null || Number.isNaN(left)) return;
  Reflect.set(attempt, 'remainingMs', Math.max(0, Math.round(left - passedMs)));
}
