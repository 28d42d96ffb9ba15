export const GOOGLE_GENAI_SDK = '@google/genai';
