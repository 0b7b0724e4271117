import type { EvidenceUpload } from '@invigil/core/contract/attempts/evidence';
import { type PaperPosition, seededRandom } from '@invigil/core/domain/questions/draw';
import { isSeveralChoice } from '@invigil/core/domain/questions/question-definition';
import type { AppContext } from '../app-context.ts';
import type { Tx } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import type { AnswerRow } from '../db/queries/attempts/answers.ts';
import { findParticipant, type ParticipantView } from '../db/queries/attempts/attempts.ts';
import { recordReturn } from '../db/queries/attempts/changes.ts';
import { insertParticipantEvent } from '../db/queries/attempts/events.ts';
import { insertFeedback } from '../db/queries/attempts/feedback.ts';
import { lockInvitation, recordFirstSignIn } from '../db/queries/codes.ts';
import type { QuestionView } from '../db/queries/questions.ts';
import type { QuizView } from '../db/queries/quizzes.ts';
import type { ParticipantSession } from '../db/queries/sessions.ts';
import type { DrawnPaper } from '../features/assessments/questions/open-draw.ts';
import { storeEvidence } from '../features/attempts/evidence/store-evidence.ts';
import {
  beginAttempts,
  beginNew,
  type StartDetails,
} from '../features/attempts/start-and-end/begin-attempts.ts';
import { closeParticipants } from '../features/attempts/start-and-end/close-participants.ts';
import { noteViolation } from '../features/attempts/violations/note-violation.ts';
import { reportViolation } from '../features/attempts/violations/report-violation.ts';
import {
  changeAccommodations,
  revokeInvitations,
} from '../features/invitations/invite/manage-invitations.ts';
import type { InvitationRow } from '../features/invitations/invite/queries.ts';
import {
  endParticipant,
  extendParticipant,
  noteParticipant,
  pauseParticipant,
  recordVerdict,
  replaceParticipant,
} from '../features/review/manage-participant.ts';
import type { Command } from '../sessions/command.ts';
import type { Calendar } from './calendar.ts';
import { insertAnswers } from './queries.ts';
import {
  type Story,
  type StoryBank,
  type StoryDetection,
  type StoryRow,
  storyFile,
} from './story.ts';

/** The version of the consent text that the candidate's screens show. */
const CONSENT_TEXT_VERSION = '2026-8';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The age of the last heartbeat of a running attempt. */
const LAST_SEEN_MS = 4_000;
/** A limit is reached this long before the end, which is the policy's delay. */
const BEFORE_END_MS = 1_000;

export interface Stage {
  /** All its statements run inside `tx`. */
  ctx: AppContext;
  tx: Tx;
  adminId: string;
  /** Changes something as the owner. */
  command: Command<string>;
  calendar: Calendar;
  story: Story;
  /** By key, of the assessments so far. */
  quizIds: Map<string, string>;
}

/** Answers typed by people who know the right one, and by people who do not. */
export type Typed = StoryBank['questions'][number]['typed'];

/** An assessment with the people invited to it. */
export interface Cast {
  quiz: QuizView;
  draw(seed: string): DrawnPaper;
  /** By question of the bank. */
  typed: ReadonlyMap<string, Typed>;
  byId: ReadonlyMap<string, QuestionView>;
  /** By address. */
  invitations: ReadonlyMap<string, InvitationRow>;
}

/**
 * Plays what one person did; `number` tells rows apart where something is to vary. Like in production, the
 * service counts, scores, seals and applies limits.
 */
export async function playPerson(
  stage: Stage,
  cast: Cast,
  row: StoryRow,
  attempt: number,
  number: number,
): Promise<void> {
  const { ctx, tx, command, calendar } = stage;
  const { ending } = row;
  let invitation = cast.invitations.get(row.email);
  if (!invitation) throw new Error(`${row.email} is not invited to ${row.quiz}`);
  const invitedOn = (minute: number) => calendar.at({ daysAgo: 0, ...row.invited, minute });
  if (ending === 'revoked') {
    const { id } = invitation;
    await command((write) => revokeInvitations(write, cast.quiz.id, [id]), invitedOn(16 * 60));
  }
  const { extraTime, breaks, window } = row;
  if (extraTime !== undefined || breaks !== undefined || window !== undefined) {
    const change = {
      extraTimeFactor: extraTime,
      breaks,
      ownTimes: window && { window: calendar.window(window) },
      reason: 'Agreed with the person',
    };
    const { id } = invitation;
    await command((write) => changeAccommodations(ctx, write, id, change), invitedOn(8 * 60 + 50));
    invitation = (await lockInvitation(tx, id)) ?? invitation;
  }
  const { began, minutes = 0 } = row;
  if (began === undefined) return;
  let startedAt = calendar.at(began);
  if (ending === 'signed in') return recordFirstSignIn(tx, invitation.id, startedAt);
  if (ending === 'submitted' && 'minutesAgo' in began) {
    const endedAt = calendar.thisWeek(began.minutesAgo - minutes, 1 + (number % 8));
    startedAt = new Date(endedAt.getTime() - minutes * MINUTE_MS);
  }
  const until =
    ending === 'running'
      ? new Date(
          (row.paused ? pausedAt(calendar, row.paused) : calendar.now).getTime() - LAST_SEEN_MS,
        )
      : new Date(startedAt.getTime() + minutes * MINUTE_MS);
  const id = await begin(stage, cast, row, { invitation, attempt, number, startedAt, until });
  await reportDetections(stage, id, row, startedAt, until);
  if (ending === 'running') return playRunning(stage, id, row, startedAt);

  if (ending === 'ended') {
    const reason = 'The computer broke down and could not be replaced';
    await command((write) => endParticipant(ctx, write, id, { reason }), until);
  }
  const endedAt = await end(stage, id, ending ?? '', until);
  if (row.verdict !== undefined) {
    const { afterHours, ...given } = row.verdict;
    const now = new Date(endedAt.getTime() + afterHours * HOUR_MS);
    await command((write) => recordVerdict(ctx, write, id, given), now);
  }
  if (row.feedback !== undefined) {
    // Shortly after the end, but not in the future.
    const createdAt = new Date(Math.min(calendar.now.getTime(), endedAt.getTime() + 50_000));
    await insertFeedback(tx, { participantId: id, ...row.feedback, createdAt });
  }
  const { note } = row;
  if (note !== undefined) {
    const now = new Date(startedAt.getTime() + 2 * HOUR_MS);
    await command((write) => noteParticipant(write, id, { note }), now);
  }
  if (row.again && 'daysAgo' in began) {
    const reason = 'The fire alarm went off during the assessment';
    const now = calendar.at({ ...began, minute: 17 * 60 + 20 });
    const how = { how: 'another' } as const;
    await command((write) => replaceParticipant(ctx, write, id, how, { reason }), now);
  }
}

interface Person {
  invitation: InvitationRow;
  attempt: number;
  number: number;
  startedAt: Date;
  until: Date;
}

/** Starts the attempt and saves its answers; it is in progress afterwards. */
async function begin(
  { tx, story }: Stage,
  cast: Cast,
  row: StoryRow,
  { invitation, attempt, number, startedAt, until }: Person,
): Promise<string> {
  const { quiz } = cast;
  const drawn = cast.draw(`${row.quiz}/${row.email}/${attempt}`);
  const { paper } = drawn;
  const beginning = beginNew(quiz, drawn, invitation, attempt, startedAt);
  const signedInAt = new Date(startedAt.getTime() - (2 + (number % 5)) * MINUTE_MS);
  await recordFirstSignIn(tx, invitation.id, signedInAt);
  const details: StartDetails = {
    consentTextVersion: CONSENT_TEXT_VERSION,
    language: null,
    consentTo: null,
    deviceCheck: { ...story.devices[number % story.devices.length] },
    // From a network reserved for documentation (RFC 5737).
    address: `203.0.113.${1 + (number % 254)}`,
    device: {},
    saysMobile: false,
    sees: null,
  };
  // Reports need a session that holds the attempt; its token does not exist.
  const session = sessionOf(newId(), invitation, row.email, beginning.due.closeAt);
  const start = { session, details, beginning, invitation, now: startedAt };
  const [id = ''] = await beginAttempts(tx, [start]);
  // The last heartbeat.
  await recordReturn(tx, id, until, true);
  const workedMs = until.getTime() - startedAt.getTime();
  const marks = row.answers ?? '';
  const reached = Math.max(...[...marks].map((mark, i) => (mark === '.' ? 0 : i + 1)));
  const at = (share: number) => new Date(Math.round(startedAt.getTime() + workedMs * share));
  const answers = paper.flatMap((entry, i): AnswerRow[] => {
    const mark = marks[i] ?? '.';
    if (mark === '.') return [];
    const isFlagged = '*!'.includes(mark);
    const createdAt = at((i + 0.4 + 0.1 * (i % 4)) / (reached + 1));
    // Some are changed on the review page.
    const savedAt = isFlagged && row.ending === 'submitted' ? at(0.98) : createdAt;
    return [
      {
        participantId: id,
        questionId: entry.questionId,
        id: newId(),
        ...answerOf(cast, entry, '+*'.includes(mark), number + i),
        isFlagged,
        revision: isFlagged ? 3 : 1,
        createdAt,
        savedAt,
      },
    ];
  });
  await insertAnswers(tx, answers);
  return id;
}

/** An answer in the form in which it is stored; `pick` chooses one of several. */
function answerOf(
  { byId, typed }: Cast,
  { questionId, optionOrder }: PaperPosition,
  isCorrect: boolean,
  pick: number,
): Pick<AnswerRow, 'optionId' | 'response'> {
  const oneOf = <T>(list: readonly T[] = []) => list[pick % list.length];
  const version = byId.get(questionId)?.version;
  if (!version) throw new Error('a paper has a question that the assessment does not have');
  const { correctOptionId, details, optionIds } = version;
  const answers = typed.get(questionId);
  if (answers) {
    return { optionId: null, response: oneOf(isCorrect ? answers.right : answers.wrong) ?? null };
  }
  if (details && isSeveralChoice(details.type)) {
    const selected = new Set(optionIds.filter((_, i) => details.options[i]?.isCorrect));
    // A wrong answer differs from the key in one option.
    const changed = isCorrect ? undefined : oneOf(optionOrder);
    if (changed !== undefined && !selected.delete(changed)) selected.add(changed);
    return { optionId: null, response: [...selected].sort((a, b) => a - b).join(',') };
  }
  const wrong = optionOrder.filter((option) => option !== correctOptionId);
  return { optionId: isCorrect ? correctOptionId : (oneOf(wrong) ?? null), response: null };
}

function sessionOf(
  id: string,
  invitation: Pick<InvitationRow, 'id' | 'userId' | 'quizId'>,
  email: string,
  expiresAt: Date,
): ParticipantSession {
  const { id: invitationId, userId, quizId } = invitation;
  const ended = { endedAt: null, endReason: null };
  return { kind: 'participant', id, invitationId, userId, quizId, email, expiresAt, ...ended };
}

/** Reports detections as the page does, so that the server counts them and applies limits. */
async function reportDetections(
  { ctx, tx }: Stage,
  participantId: string,
  { detections = [], email }: StoryRow,
  startedAt: Date,
  until: Date,
): Promise<void> {
  const { sessionId, invitationId: id, userId, quizId, closeAt } = await get(tx, participantId);
  const session = sessionOf(sessionId ?? '', { id, userId, quizId }, email, closeAt);
  const workedMs = until.getTime() - startedAt.getTime();
  for (const { type, percent, engine, notes, durationMs, candidate } of detections) {
    const afterMs = Math.min((workedMs * percent) / 100, workedMs - BEFORE_END_MS);
    const at = new Date(Math.round(startedAt.getTime() + afterMs));
    const report = {
      participantId,
      violationType: type,
      notes: notes ?? null,
      id: undefined,
      ageMs: 0,
      durationMs: durationMs ?? null,
      engine: engine ?? null,
      from: { headers: {}, ip: '' },
    };
    const { answer } = await reportViolation(ctx, session, report, at);
    const evidence = drawnEvidence(type, at, answer.id);
    if (evidence !== null) await storeEvidence(ctx, session, participantId, evidence, at);
    if (candidate) await noteViolation(ctx, session, answer.id, candidate, at);
  }
}

/** Ends and scores an attempt as the service does: by a submit or at its due time. */
async function end({ tx, ctx }: Stage, id: string, ending: string, at: Date): Promise<Date> {
  const attempt = await get(tx, id);
  if (ending === 'submitted') {
    await closeParticipants(tx, ctx, [{ attempt, how: 'manual', now: at }]);
    return at;
  }
  const wanted = { 'time up': 'auto', ended: 'database' }[ending] ?? ending;
  if (attempt.closeReason !== wanted) {
    throw new Error(`an attempt was to end as ${wanted}, and is due as ${attempt.closeReason}`);
  }
  await closeParticipants(tx, ctx, [{ attempt, how: 'due', now: attempt.closeAt }]);
  return (await get(tx, id)).submittedAt ?? at;
}

/** Plays the events halfway in an attempt that is in progress now, and ends when its time is up. */
async function playRunning(
  { ctx, tx, command, calendar }: Stage,
  participantId: string,
  { extended, resumed, paused }: StoryRow,
  startedAt: Date,
): Promise<void> {
  const now = new Date(Math.round((startedAt.getTime() + calendar.now.getTime()) / 2));
  if (resumed) {
    const again = new Date(now.getTime() + 2_500);
    await insertParticipantEvent(tx, { participantId, kind: 'signed_in', at: now });
    await insertParticipantEvent(tx, { participantId, kind: 'resumed', at: again });
  }
  if (extended !== undefined) {
    const why = { reason: 'The network in the room was down for a while' };
    await command((write) => extendParticipant(ctx, write, participantId, extended, why), now);
  }
  if (paused !== undefined) {
    const at = pausedAt(calendar, paused);
    const until = new Date(at.getTime() + paused.minutes * MINUTE_MS);
    const why = { reason: paused.reason };
    await command((write) => pauseParticipant(ctx, write, participantId, until, why), at);
    // The page stays open.
    await recordReturn(tx, participantId, new Date(calendar.now.getTime() - LAST_SEEN_MS), true);
  }
}

const pausedAt = ({ at }: Calendar, { minutesAgo }: NonNullable<StoryRow['paused']>) =>
  at({ minutesAgo });

async function get(tx: Tx, id: string): Promise<ParticipantView> {
  const attempt = await findParticipant(tx, id);
  if (!attempt) throw new Error(`attempt ${id} was started but not found`);
  return attempt;
}

type Type = StoryDetection['type'];

/** Drawn pictures, two of each, so that the scene moves. */
type Picture = 'desk' | 'away' | 'edge' | 'two' | 'empty' | 'dark';

/** The camera's picture by seconds from the detection; other types have no stills. */
const SHOWN: Partial<Record<Type, (seconds: number) => Picture>> = {
  face_not_detected: (s) => (s < -2 || s > 3 ? 'desk' : s === -2 || s === 3 ? 'edge' : 'empty'),
  voice_detected: () => 'desk',
  multiple_faces: (s) => (s < -1 || s > 2 ? 'desk' : 'two'),
  looking_away: (s) => (s < -5 || s > 2 ? 'desk' : 'away'),
  camera_dark: (s) => (s < -5 ? 'desk' : 'dark'),
};
const FROM_S = -6;
const TO_S = 5;
const LEVEL_EVERY_MS = 300;

/** Stills and level curve of a detection; `null` if the camera does not show it. */
function drawnEvidence(type: Type, at: Date, violationId: string): EvidenceUpload | null {
  const shown = SHOWN[type];
  if (shown === undefined) return null;
  const random = seededRandom(`${violationId}/evidence`);
  const stills = Array.from({ length: TO_S - FROM_S + 1 }, (_, i) => {
    const seconds = FROM_S + i;
    // Each still is unique, because the server checks for repeated ones.
    const jpeg = withComment(
      drawnPicture(`${shown(seconds)}-${i % 2}`),
      `${at.getTime()} ${violationId} ${i}`,
    );
    return { offsetMs: seconds * 1_000, jpeg: jpeg.toString('base64') };
  });
  const values = Array.from({ length: ((TO_S - FROM_S) * 1_000) / LEVEL_EVERY_MS }, (_, i) => {
    const seconds = FROM_S + (i * LEVEL_EVERY_MS) / 1_000;
    const isSpeech = type === 'voice_detected' && seconds > -2.5 && seconds < 1.5;
    return Math.round(isSpeech ? 35 + 40 * random() : 9 * random());
  });
  const levels = { offsetMs: FROM_S * 1_000, everyMs: LEVEL_EVERY_MS, values };
  return { id: newId(), violationId, ageMs: 0, stills, levels };
}

const pictures = new Map<string, Buffer>();

/** @param name `desk-0` */
export function drawnPicture(name: string): Buffer {
  const known = pictures.get(name) ?? storyFile(`stills/${name}.jpg`);
  pictures.set(name, known);
  return known;
}

/** Inserts a comment segment after the start of the image (ITU-T T.81, B.2.4.5). */
function withComment(jpeg: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(2 + text.length);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe]), length, Buffer.from(text, 'ascii')]);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}
