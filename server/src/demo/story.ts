import { readFileSync } from 'node:fs';
import type { Breaks } from '@invigil/core/contract/invitations/invitations';
import type { PersonInput } from '@invigil/core/contract/invitations/people';
import type { Verdict } from '@invigil/core/domain/attempt';
import type {
  Difficulty,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import type { RetakeRule } from '@invigil/core/domain/retakes';
import type { CountingType, FlagType } from '@invigil/core/domain/violations/violation-types';

/** The stored story of the demonstration, without its people. */
export interface Story {
  categories: { name: string; description: string | null }[];
  /** Colleagues who have not set a password yet, each with a role in the first category. */
  team: { email: string; name: string; role: 'author' | 'invigilator' | 'reviewer' }[];
  quizzes: StoryQuiz[];
  /** Results of a device check. */
  devices: Record<string, string | number | boolean | null>[];
}

export interface StoryQuiz {
  /** The name of its question file: `.csv`, or `.json` where it draws from the bank. */
  key: string;
  title: string;
  description: string;
  category: string;
  duration: number;
  totalQuestions: number;
  policy: 'balanced' | 'review';
  /** Days from now, or none. */
  endsInDays: number | null;
  opensInDays?: number;
  retakes?: RetakeRule;
  /** Groups with times of their own. */
  windows?: (StoryWindow & { group: string })[];
  /** Practice assessments have no people. */
  isPractice?: boolean;
  /** The key of an earlier one, in which its candidates can practice. */
  practice?: string;
  /** Deactivated after its last attempt. */
  closedDaysAgo?: number;
  /** A pass mark in percent, and the place of a question whose key someone has moved by mistake. */
  results?: { passMark: number; movedKey: number };
}

/** Questions of the bank, and how an assessment draws its papers from them. */
export interface StoryBank {
  questions: {
    key: string;
    /** Images of its texts are figures by name: `image:rainfall`. */
    definition: QuestionDefinition;
    tags: string[];
    difficulty: Difficulty;
    /** Answers typed by people who know the right one, and by people who do not. */
    typed?: { right: string[]; wrong: string[] };
    note?: string;
  }[];
  /** With keys for ids. */
  structure: QuizStructure;
  negativeMarks: NegativeMarks;
}

/** A time: some minutes ago, or a time of day (in minutes after midnight) some days ago. */
export type StoryTime = { minutesAgo: number } | { daysAgo: number; minute: number };

/** Times of a coming day, in minutes after midnight. */
export interface StoryWindow {
  inDays: number;
  opens: number;
  ends: number;
}

/** One invited person of an assessment, or one of their attempts (attempts.jsonl). */
export interface StoryRow {
  quiz: string;
  /** Invented, at example.org, a domain reserved for examples: mail to it reaches no one. */
  email: string;
  /** On the same morning as the others of that day; or minutes ago, with the mail still queued. */
  invited: { minutesAgo: number } | { daysAgo: number };
  /** More time than others have, as a factor. */
  extraTime?: number;
  breaks?: Breaks;
  /** Times of their own. */
  window?: StoryWindow;
  began?: StoryTime;
  /** From start to end; absent while in progress. */
  minutes?: number;
  ending?: string;
  /** By position: + right, - wrong, . not answered; * and ! the same with a flag. */
  answers?: string;
  detections?: StoryDetection[];
  verdict?: { verdict: Verdict; note: string; afterHours: number };
  feedback?: { emoji: 'smile' | 'neutral' | 'sad'; text: string | null; skipped: boolean };
  /** An administrator's note about the attempt. */
  note?: string;
  /** They were allowed another attempt. */
  again?: true;
  /** Half of the time in, while in progress: minutes that were added, or a page that was loaded again. */
  extended?: number;
  resumed?: true;
  /** Their clock was stopped by an administrator, for so many minutes. */
  paused?: { minutesAgo: number; minutes: number; reason: string };
}

/** A report of the detectors, at a percentage of the worked time. */
export interface StoryDetection {
  type: CountingType | FlagType;
  percent: number;
  engine?: string;
  notes?: string;
  durationMs?: number;
  /** The candidate's note about the detection. */
  candidate?: string;
}

export function readStory(): Story {
  return JSON.parse(storyFile('story.json').toString());
}

export function readBank(key: string): StoryBank {
  return JSON.parse(storyFile(`${key}.json`).toString());
}

export const readRows = (): StoryRow[] => readLines('attempts.jsonl');

/** The people of the story, with names in several scripts; one has a single name. */
export const readPeople = (): PersonInput[] => readLines('people.jsonl');

function readLines<T>(name: string): T[] {
  const lines = storyFile(name).toString().trim().split('\n');
  return lines.map((line): T => JSON.parse(line));
}

/** A file of the story. */
export function storyFile(name: string): Buffer {
  return readFileSync(new URL(`./story/${name}`, import.meta.url));
}
