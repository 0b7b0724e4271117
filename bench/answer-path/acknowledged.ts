import { callEndpoint } from './call-endpoint.ts';
import type { Acknowledged } from './load-clients.ts';
import type { PreparedSystem } from './prepared-system.ts';

/** Reads every answer back and throws if an acknowledged revision is not stored. */
export async function requireAcknowledged(
  { system, sessions }: PreparedSystem,
  acknowledged: Acknowledged,
): Promise<void> {
  const { url } = system.server;
  for (const [i, session] of sessions.entries()) {
    const { body } = await callEndpoint(url, 'listAnswers', {
      as: session.cookie,
      params: { id: session.participantId },
    });
    const stored = new Map(body.map(({ questionId, revision }) => [questionId, revision]));
    for (const [question, revision] of Object.entries(acknowledged[i] ?? {})) {
      if (stored.get(question) === revision) continue;
      throw new Error(`revision ${revision} was acknowledged, ${stored.get(question)} is stored`);
    }
  }
}
