import type { Guest } from './admin-client.ts';

/** Signs in and starts over HTTP, as the screens would; returns the session for a browser. */
export async function signedInCookie(
  url: string,
  { email, code }: Guest,
  quizId: string,
  userAgent = 'node',
): Promise<{ cookie: string; participantId: string }> {
  const headers = { 'user-agent': userAgent };
  const signedIn = await post(`${url}/api/auth/login`, { email, password: code }, headers);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const started = await post(`${url}/api/participants`, { quizId }, { ...headers, cookie });
  const participant: unknown = await started.json();
  const id =
    typeof participant === 'object' && participant !== null
      ? Reflect.get(participant, 'id')
      : undefined;
  if (typeof id !== 'string') throw new Error(`no attempt: ${JSON.stringify(participant)}`);
  return { cookie, participantId: id };
}

async function post(
  address: string,
  body: object,
  headers: Record<string, string>,
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
