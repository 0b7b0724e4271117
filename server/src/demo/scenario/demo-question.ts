import type {
  Difficulty,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';

/** Questions of the bank, and how an assessment draws its papers from them. */
export interface BankOfScenario {
  questions: readonly DemoQuestion[];
  /** `idOf` a question by its key. */
  structure(idOf: (key: string) => string): QuizStructure;
  negativeMarks: NegativeMarks;
}

/** A question for the bank, and what people answer where they type. */
export interface DemoQuestion {
  key: string;
  /** Images of its texts are figures by name: `image:rainfall`. */
  definition: QuestionDefinition;
  tags: readonly string[];
  difficulty: Difficulty;
  /** Answers of those who know it, and of those who do not. */
  typed?: { right: readonly string[]; wrong: readonly string[] };
  note?: string;
}
