export * from "./texts-en.js";
