import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { vi } from 'vitest';

/** The hash of every image that this server stores. */
export const IMAGE_HASH = 'ab'.repeat(32);

/** A question of the bank. */
export function bankQuestion(
  definition: QuestionDefinition,
  part: Partial<BankQuestion> = {},
): BankQuestion {
  return {
    id: 'one',
    version: 1,
    definition,
    isDraft: false,
    tags: [],
    categoryId: null,
    difficulty: null,
    note: '',
    quizId: null,
    quizTitle: null,
    orderNumber: 1,
    archivedAt: null,
    createdAt: '2026-05-04T09:00:00Z',
    updatedAt: '2026-05-04T09:00:00Z',
    timesSeen: 0,
    ...part,
  };
}

/** A write that the page sent. */
export interface Sent {
  method: string;
  path: string;
  body: { definition?: QuestionDefinition; version?: number; tags?: string[] };
}

/**
 * A server that stores what the editor sends.
 *
 * @param refuse its other responses; null: the usual one
 */
export function questionServer(
  stored: BankQuestion | null,
  refuse?: (method: string) => Response | null,
): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit) => {
    const path = new URL(address, window.location.origin).pathname;
    if (path === '/api/images') {
      return Response.json(
        { hash: IMAGE_HASH, mediaType: 'image/webp', width: 1, height: 1, bytes: 1 },
        { status: 201 },
      );
    }
    if (path === '/api/questions/tags') return Response.json([{ tag: 'week 1', count: 3 }]);
    if (path === '/api/categories') return Response.json([]);
    if (path.startsWith('/api/works')) {
      return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json([]);
    }
    if (path.endsWith('/rescore')) {
      return Response.json({ participants: 2, unchanged: 0, changes: [], applied: false });
    }
    if (method === 'GET') {
      const refused = refuse?.(method);
      return refused ?? Response.json({ ...stored, versions: [], usedIn: [] });
    }
    const parsed = JSON.parse(String(body));
    sent.push({ method, path, body: parsed });
    const refused = refuse?.(method);
    if (refused) return refused;
    const definition = parsed.definition ?? stored?.definition;
    const saved = { ...(stored ?? bankQuestion(definition)), ...parsed, definition };
    return Response.json(
      { ...saved, version: (stored?.version ?? 0) + 1 },
      {
        status: method === 'POST' ? 201 : 200,
      },
    );
  });
  return sent;
}
