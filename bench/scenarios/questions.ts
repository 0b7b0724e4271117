import {
  drawByPlan,
  type PoolQuestion,
  planDraw,
  qualifies,
} from '@invigil/core/domain/questions/draw-by-rules';
import type { DrawFilter, QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import type { HttpPerson } from '@invigil/testkit/http-person';
import { printRows, sized } from '../benchmark.ts';
import type { LoadClients } from '../load/load-clients.ts';
import { seat } from '../load/people.ts';
import { scenario } from '../load/system.ts';
import { evenly } from '../load/timetable.ts';
import { rounded } from '../statistics.ts';

/*
 * Papers by rules: 10,000 of them from a bank of 10,000, every quota met. Question files: 10,000 plain
 * questions imported while candidates save; their p99 beside the same candidates without an import.
 */
const QUESTIONS = sized(10_000, 300);
const PAPERS = sized(10_000, 50);
const CANDIDATES = sized(1_000, 20);
const SECONDS = sized(30, 3);

await scenario('questions', { database: 'external' }, async (system) => {
  const microsPerPaper = drawPapers();
  const { clients } = await seat(system, { questions: 40, many: CANDIDATES });
  const admin = await system.signIn();
  const alone = await sit(clients, 'alone');
  const [beside, seconds] = await Promise.all([sit(clients, 'import'), importFile(admin)]);
  printRows([
    { candidates: 'alone', ...alone },
    { candidates: 'beside the import', ...beside },
  ]);
  return {
    figures: [
      { name: `${QUESTIONS} questions imported, s`, value: seconds, most: 30 },
      { name: 'p99 of a save during that, ms', value: beside['p99 ms'], most: 100 },
      { name: 'p99 of a save without an import, ms', value: alone['p99 ms'] },
      { name: 'a paper by rules, µs', value: microsPerPaper },
    ],
  };
});

/** Overlapping rules, one of them scarce. Throws when a paper misses a quota or repeats a question. */
function drawPapers(): number {
  const pool = Array.from(
    { length: QUESTIONS },
    (_, i): PoolQuestion => ({
      questionId: `q${i}`,
      version: 1,
      optionIds: [1, 2, 3, 4],
      tags: [`topic ${i % 7}`, ...(i % 50 === 0 ? ['rare'] : [])],
      categoryId: null,
      difficulty: i % 3 === 0 ? 'hard' : 'easy',
      isArchived: false,
    }),
  );
  const rules: { count: number; from: DrawFilter }[] = [
    { count: 15, from: { tags: ['topic 1', 'topic 2'] } },
    { count: 10, from: { tags: ['topic 2'], difficulties: ['hard'] } },
    { count: 5, from: { tags: ['rare'] } },
    { count: 10, from: { tags: ['topic 3', 'rare'] } },
  ];
  const structure: QuizStructure = {
    sections: [{ title: 'All', isShuffled: false, items: rules }],
  };
  const byId = new Map(pool.map((question) => [question.questionId, question]));
  const began = performance.now();
  const plan = planDraw(structure, pool);
  const papers = Array.from({ length: PAPERS }, (_, i) => drawByPlan(plan, `paper ${i}`).paper);
  const ms = performance.now() - began;
  const filters = rules.flatMap(({ count, from }) => Array<DrawFilter>(count).fill(from));
  for (const paper of papers) {
    if (new Set(paper.map((p) => p.questionId)).size !== 40) throw new Error('a question repeats');
    for (const [position, filter] of filters.entries()) {
      const question = byId.get(paper[position]?.questionId ?? '');
      if (!question || !qualifies(question, filter)) throw new Error('a quota was missed');
    }
  }
  const again = drawByPlan(plan, 'paper 0').paper;
  if (JSON.stringify(again) !== JSON.stringify(papers[0])) throw new Error('another paper');
  return rounded((ms * 1_000) / PAPERS);
}

async function sit(clients: LoadClients, seed: string) {
  const part = await clients.sit(
    evenly({ seed, seconds: SECONDS, thinkMs: 10_000, reportEveryMs: 60_000 }),
  );
  const { ok = 0, p50Ms = 0, p99Ms = 0, firstTrouble } = part.kinds.save ?? {};
  if (ok === 0) throw new Error(`nothing was saved: ${firstTrouble}`);
  return { saves: ok, 'p50 ms': rounded(p50Ms, 1), 'p99 ms': rounded(p99Ms, 1) };
}

/** Sends a GIFT file; returns the seconds until everything was stored. */
async function importFile(admin: HttpPerson): Promise<number> {
  const file = Array.from(
    { length: QUESTIONS },
    (_, i) => `Question ${i} of a large file {=right ${i} ~wrong ${i} ~other ${i} ~last ${i}}`,
  ).join('\n\n');
  const began = performance.now();
  const body = Buffer.from(`${JSON.stringify({ name: 'large.gift' })}\n${file}`);
  const reply: { added?: number } = await admin.must('importFile', { body });
  if (reply.added !== QUESTIONS) throw new Error(`not imported: ${JSON.stringify(reply)}`);
  return rounded((performance.now() - began) / 1_000, 1);
}
