export function endBy(name: string): void;
