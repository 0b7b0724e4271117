/**
 * Lets a reload without a connection continue the running attempt. It serves the page, its files and images,
 * and the few answers of the server with which the test opens, from copies that the page keeps while the
 * attempt runs (candidate/attempt/offline-copy.ts). Saves never pass through here: the page sends them itself.
 *
 * Copies of files have a hash in their name and are used first, so an update of the server changes nothing
 * under a running page; everything else is asked of the server first.
 */

interface WaitingEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The used part of a service worker's global object; the project's types are those of a page. */
const worker = globalThis as unknown as {
  location: Location;
  clients: { claim(): Promise<void> };
  addEventListener(type: 'activate', listener: (event: WaitingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
};

/** As in lib/person/offline-copies.ts. */
const COPIES = 'invigil-attempt';
const PAGE = '/quiz/assessment';
/** A connection without an answer for this long counts as none. Milliseconds. */
const NO_ANSWER_MS = 6_000;

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(serverFirst(request, PAGE));
  else if (isFile(request, url)) event.respondWith(copyFirst(request));
  else if (isOpening(request, url)) event.respondWith(serverFirst(request, url.pathname));
});

function isFile({ method }: Request, { pathname }: URL): boolean {
  return method === 'GET' && /^\/(assets|api\/images)\//.test(pathname);
}

/** The requests with which the test opens. */
function isOpening({ method }: Request, { pathname }: URL): boolean {
  return method === 'POST'
    ? pathname === '/api/participants'
    : method === 'GET' &&
        /^\/api\/(auth\/me|quizzes\/[^/]+\/questions|participants\/[^/]+\/answers)$/.test(pathname);
}

async function copyFirst(request: Request): Promise<Response> {
  const kept = await copyOf(request.url);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok && (await caches.has(COPIES))) {
    const copies = await caches.open(COPIES);
    // A full disk must not keep the page from its file.
    await copies.put(request.url, response.clone()).catch(() => undefined);
  }
  return response;
}

async function serverFirst(request: Request, name: string): Promise<Response> {
  const answer = fetch(request);
  try {
    return await Promise.race([answer.then(requireServer), refuseLater()]);
  } catch {
    const kept = await copyOf(name);
    return kept === undefined ? answer : aged(kept);
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

async function copyOf(name: string): Promise<Response | undefined> {
  return (await caches.has(COPIES))
    ? caches.match(name, { cacheName: COPIES, ignoreVary: true })
    : undefined;
}

/** A copy with the time that has passed since. Without a server only this device's clock tells. */
async function aged(kept: Response): Promise<Response> {
  const keptAt = kept.headers.get('x-kept-at');
  if (keptAt === null) return kept;
  const passedMs = Math.max(0, Date.now() - Number(keptAt));
  const body: unknown = await kept.json();
  const account = body as { attempt?: unknown } | null;
  takeTime(account?.attempt ?? body, passedMs);
  return Response.json(body, { headers: { 'x-offline-copy': 'yes' } });
}

function takeTime(attempt: unknown, passedMs: number): void {
  if (typeof attempt !== 'object' || attempt === null) return;
  const left: unknown = Reflect.get(attempt, 'remainingMs');
  if (typeof left !== 'number') return;
  Reflect.set(attempt, 'remainingMs', Math.max(0, Math.round(left - passedMs)));
}
