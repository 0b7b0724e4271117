import { useReducer } from 'react';
import type { QuestionValues } from './question-values.ts';

const STEPS_MAX = 200;

interface Editing {
  values: QuestionValues;
  past: QuestionValues[];
  future: QuestionValues[];
  /** The field of the last step: typing on in it is the same step. */
  field: string | null;
}

type Action =
  | { type: 'change'; part: Partial<QuestionValues>; field: string | null }
  | { type: 'undo' | 'redo' };

export function editingReducer(state: Editing, action: Action): Editing {
  const { values, past, future, field } = state;
  if (action.type === 'change') {
    const next = { ...values, ...action.part };
    if (action.field !== null && action.field === field)
      return { ...state, values: next, future: [] };
    return {
      values: next,
      past: [...past.slice(1 - STEPS_MAX), values],
      future: [],
      field: action.field,
    };
  }
  if (action.type === 'undo') {
    const before = past.at(-1);
    if (before === undefined) return state;
    return { values: before, past: past.slice(0, -1), future: [values, ...future], field: null };
  }
  const [after, ...rest] = future;
  if (after === undefined) return state;
  return { values: after, past: [...past, values], future: rest, field: null };
}

/**
 * The fields of the editor with undo and redo. Inside a text the browser's own undo works on its
 * letters; this one works on steps: a moved option, another type, what was typed in one field.
 */
export function useEditing(initial: QuestionValues) {
  const [{ values, past, future }, dispatch] = useReducer(editingReducer, {
    values: initial,
    past: [],
    future: [],
    field: null,
  });
  return {
    values,
    /** @param field where it is typed; without one it is a step of its own */
    change: (part: Partial<QuestionValues>, field: string | null = null) =>
      dispatch({ type: 'change', part, field }),
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  };
}

export interface PartProps {
  values: QuestionValues;
  change(part: Partial<QuestionValues>, field?: string | null): void;
  /** The problem at a field, by its path in the definition. */
  problemAt(path: string): string | undefined;
}
